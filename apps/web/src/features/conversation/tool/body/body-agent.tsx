import '../output/output-subagent.css'
import type { ToolCall, ToolOutput } from 'gemini-sessions'
import { Markdown } from '../../../../content/markdown/markdown.tsx'
import { AgentConversation } from '../agent/agent-conversation.tsx'
import type { DrawCalls } from '../call/draw-calls.ts'
import { textArgument } from '../call/tool-argument.ts'
import { OutputBody } from '../output/output-body.tsx'
import { OutputSubagent } from '../output/output-subagent.tsx'
import { agentReport } from '../results/agent-report.ts'

type Progress = Extract<ToolOutput, { kind: 'subagent' }>

/** A sub-agent: its task, its last steps, what it handed back, and its conversation where the CLI kept that. */
export function BodyAgent({ id, call, drawCalls }: { id: string; call: ToolCall; drawCalls: DrawCalls }) {
  const task = textArgument(call, 'prompt', 'objective', 'task', 'query', 'question')
  const progress = progressOf(call)
  return (
    <>
      {task !== '' && (
        <div className="agent-task">
          <p className="agent-part">Task</p>
          <Markdown text={task} isSmall />
        </div>
      )}
      {progress === null ? (
        call.status !== 'error' && <OutputBody id={id} call={call} output={call.display ?? call.output} />
      ) : (
        <OutputSubagent output={progress} />
      )}
      {call.agentKey !== null && <AgentConversation id={id} agentKey={call.agentKey} drawCalls={drawCalls} />}
    </>
  )
}

/** What the CLI drew (0.33+), else the report in the text that the model got. */
function progressOf({ display, output }: ToolCall): Progress | null {
  const told = 'text' in output ? agentReport(output.text) : null
  if (display?.kind === 'subagent') {
    return {
      ...display,
      result: display.result ?? told?.result ?? null,
      terminateReason: display.terminateReason ?? told?.reason ?? null,
    }
  }
  if (told === null) return null
  return {
    kind: 'subagent',
    agentName: '',
    state: null,
    activity: [],
    result: told.result,
    terminateReason: told.reason,
  }
}
