import './output-body.css'
import './output-subagent.css'
import { Link } from '@tanstack/react-router'
import type { ToolCall, ToolOutput } from 'gemini-sessions'
import { JsonTree } from '../../../content/json-tree.tsx'
import { MachineText } from '../../../content/machine-text.tsx'
import { Markdown } from '../../../content/markdown.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { PartBody } from '../message/part-body.tsx'
import { useOpen } from '../open-store.ts'
import { OutputBody } from './output-body.tsx'
import { SavedOutputs } from './saved-outputs.tsx'
import { textArgument } from './tool-argument.ts'
import { toolKind } from './tool-kind.ts'

/** An open call: what was asked where the head does not say it, the result, then arguments and raw result. */
export function ToolBody({ id, call }: { id: string; call: ToolCall }) {
  const kind = toolKind(call)
  const shown = shownOutput(call)
  const isData = kind === 'mcp' || kind === 'unknown'
  return (
    <div className="call-body">
      {kind === 'shell' && <Command text={textArgument(call, 'command')} />}
      {kind === 'subagent' && <Task call={call} />}
      {kind === 'ask' || kind === 'memory' ? (
        <Markdown text={textArgument(call, 'question', 'fact')} isSmall />
      ) : null}
      {isData && <Arguments call={call} isNamed />}
      <OutputBody id={id} call={call} output={shown} />
      <SavedOutputs id={id} callId={call.id} />
      {call.extraParts.map((part, index) => (
        <PartBody key={`${index} ${part.kind}`} id={`${id}/extra-${index}`} part={part} />
      ))}
      {call.agentKey !== null && (
        <p className="agent-link">
          <Link to="/s/$key" params={{ key: call.agentKey }} className="link">
            Open the sub-agent’s session
          </Link>
        </p>
      )}
      {!isData && <More id={`${id}/args`} name="Arguments" render={() => <Arguments call={call} />} />}
      {shown !== call.output && call.output.kind !== 'empty' && (
        <More
          id={`${id}/output`}
          name="Result as the model got it"
          render={() => <OutputBody id={`${id}/output-body`} call={call} output={call.output} />}
        />
      )}
    </div>
  )
}

/** What the CLI drew, where it drew anything; else what the model got. */
function shownOutput(call: ToolCall): ToolOutput {
  const { display, output } = call
  if (display === null || display.kind === 'empty') return output
  const isBlank = (display.kind === 'text' || display.kind === 'markdown') && display.text.trim() === ''
  return isBlank ? output : display
}

function Command({ text }: { text: string }) {
  if (text === '') return null
  return (
    <pre className="command-line" dir="ltr">
      <MachineText text={text} />
    </pre>
  )
}

function Task({ call }: { call: ToolCall }) {
  const task = textArgument(call, 'prompt', 'objective', 'task', 'query')
  return task === '' ? null : (
    <div className="agent-task">
      <Markdown text={task} isSmall />
    </div>
  )
}

/** `isNamed`: nothing above says what this is. */
function Arguments({ call, isNamed = false }: { call: ToolCall; isNamed?: boolean }) {
  return (
    <div className="call-data">
      <div className="output-footer">
        {isNamed && <span>Arguments</span>}
        <span className="output-actions">
          <CopyButton text={JSON.stringify(call.args, null, 2) ?? ''} label="Copy JSON" />
        </span>
      </div>
      <JsonTree value={call.args} label="Arguments" />
    </div>
  )
}

function More({ id, name, render }: { id: string; name: string; render: () => React.ReactNode }) {
  const [isOpen, setOpen] = useOpen(id)
  return (
    <div className="call-more">
      <Disclosure isOpen={isOpen} onToggle={setOpen} head={name}>
        {render}
      </Disclosure>
    </div>
  )
}
