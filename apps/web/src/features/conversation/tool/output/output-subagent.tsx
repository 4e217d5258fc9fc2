import './output-subagent.css'
import { toolLabel } from '@gemini-dash/api/tool-label'
import type { ToolOutput } from 'gemini-sessions'
import { Ban, Check, CircleDashed, Lightbulb, type LucideIcon, Wrench, X } from 'lucide-react'
import { JsonTree } from '../../../../content/code/json-tree.tsx'
import { Markdown } from '../../../../content/markdown/markdown.tsx'
import { MachineText } from '../../../../content/text/machine-text.tsx'
import { Icon } from '../../../../ui/signs/icon.tsx'
import { agentEnding } from '../call/agent-ending.ts'

type Progress = Extract<ToolOutput, { kind: 'subagent' }>

const STATES: Record<string, [LucideIcon, string]> = {
  completed: [Check, 'Done'],
  error: [X, 'Failed'],
  cancelled: [Ban, 'Cancelled'],
}

/** What a sub-agent did, as far as the parent's log tells: its last steps and its answer. */
export function OutputSubagent({ output }: { output: Progress }) {
  const ending = agentEnding(output.terminateReason)
  return (
    <>
      {output.activity.length > 0 && (
        <ol className="agent-steps">
          {output.activity.map((step, index) => (
            <Step key={`${index} ${step.id}`} step={step} />
          ))}
        </ol>
      )}
      {output.result !== null && output.result.trim() !== '' && (
        <div className="agent-task">
          <p className="agent-part">Report</p>
          <Result text={output.result} />
        </div>
      )}
      {ending !== null && <p className="output-remark">{ending.sentence}</p>}
    </>
  )
}

/** Agents that have to fill in a form answer with JSON. */
function Result({ text }: { text: string }) {
  const data = readJsonObject(text)
  return data === null ? <Markdown text={text} isSmall /> : <JsonTree value={data} label="Answer" />
}

function readJsonObject(text: string): object | null {
  if (!text.trimStart().startsWith('{')) return null
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

function Step({ step }: { step: Progress['activity'][number] }) {
  const isThought = step.type === 'thought'
  const [icon, word] = (Object.hasOwn(STATES, step.status) ? STATES[step.status] : undefined) ?? [
    CircleDashed,
    'No result',
  ]
  return (
    <li className={isThought ? 'agent-step thought' : 'agent-step'}>
      <Icon of={isThought ? Lightbulb : Wrench} small />
      {!isThought && <b title={step.content}>{toolLabel(step.content)}</b>}
      <span className={isThought ? 'agent-words' : 'agent-words mono'} dir="auto">
        <MachineText text={isThought ? step.content : (step.description ?? '')} />
      </span>
      {!isThought && (
        <span className={step.status === 'error' ? 'call-state failed' : 'call-state'}>
          <Icon of={icon} small />
          {word}
        </span>
      )}
    </li>
  )
}
