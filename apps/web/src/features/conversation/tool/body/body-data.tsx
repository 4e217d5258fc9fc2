import type { ToolCall, ToolOutput } from 'gemini-sessions'
import { JsonTree } from '../../../../content/code/json-tree.tsx'
import { CopyButton } from '../../../../ui/buttons/copy-button.tsx'
import { OutputBody } from '../output/output-body.tsx'
import { OutputMarkdown } from '../output/output-markdown.tsx'
import { isRecord } from '../results/is-record.ts'
import { jsonInText } from '../results/json-in-text.ts'
import { unwrapUntrusted } from '../results/unwrap-untrusted.ts'

/** A tool of somebody else: its arguments and its result as data, or as the words that it answered. */
export function BodyData({ id, call }: { id: string; call: ToolCall }) {
  const hasArguments = !isRecord(call.args) || Object.keys(call.args).length > 0
  return (
    <>
      {hasArguments && call.args !== null && <Data name="Arguments" value={call.args} />}
      {call.status !== 'error' && <Result id={id} call={call} />}
      {call.status === 'error' && call.display?.kind === 'unknown' && (
        <Data name="Shown by the CLI" value={call.display.json} />
      )}
    </>
  )
}

function Result({ id, call }: { id: string; call: ToolCall }) {
  const output = telling(call)
  if (output === null) return null
  const data =
    output.kind === 'unknown'
      ? output.json
      : 'text' in output
        ? jsonInText(unwrapUntrusted(output.text))
        : undefined
  if (data !== undefined) return <Data name="Result" value={data} />
  if (output.kind === 'text' || output.kind === 'markdown') {
    return (
      <>
        <p className="data-name">Result</p>
        <OutputMarkdown id={id} output={{ ...output, text: unwrapUntrusted(output.text) }} />
      </>
    )
  }
  return <OutputBody id={id} call={call} output={output} />
}

/** What the CLI drew, unless it only names what came beside it, or the model got more. */
function telling({ display, output, extraParts }: ToolCall): ToolOutput | null {
  const isDrawn = display !== null && display.kind !== 'empty' && !isMediaNote(display)
  const hasMore = isDrawn && 'text' in display && 'text' in output && output.text.length > display.text.length
  const best = output.kind === 'unknown' || !isDrawn || hasMore ? output : display
  if (extraParts.length > 0 && (best.kind === 'empty' || isMediaNote(best))) return null
  return best
}

/** `[Image: image/png]`, `[Tool 'x' provided the following image data …]`: the picture itself stands below. */
function isMediaNote(output: ToolOutput): boolean {
  return (
    'text' in output &&
    /^\s*\[(?:Image|Audio|Tool '[^']*' provided|Embedded Resource)[^\n]*\]\s*$/.test(output.text)
  )
}

function Data({ name, value }: { name: string; value: unknown }) {
  return (
    <div className="call-data">
      <div className="output-footer">
        <span>{name}</span>
        <span className="output-actions">
          <CopyButton text={JSON.stringify(value, null, 2) ?? ''} label="Copy JSON" />
        </span>
      </div>
      <JsonTree value={value} label={name} />
    </div>
  )
}
