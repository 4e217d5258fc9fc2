import './output/output-body.css'
import type { Part, ToolCall } from 'gemini-sessions'
import { PartBody } from '../message/part/part-body.tsx'
import { KindBody } from './body/kind-body.tsx'
import type { DrawCalls } from './call/draw-calls.ts'
import { failureWords } from './call/failure-words.ts'
import { type ToolKind, toolKind } from './call/tool-kind.ts'
import { CallFoot } from './call-foot.tsx'
import { OutputText } from './output/output-text.tsx'
import { SavedOutputs } from './saved/saved-outputs.tsx'

interface Props {
  id: string
  call: ToolCall
  drawCalls: DrawCalls
}

/** Kinds that show their task or their proposal also where they failed. */
const TELLS_ITS_AIM = new Set<ToolKind>([
  'shell',
  'edit',
  'write',
  'web',
  'subagent',
  'ask',
  'mcp',
  'unknown',
])

/** An open call: why it failed, what it did, what else came with it, and all of its fields. */
export function ToolBody({ id, call, drawCalls }: Props) {
  const kind = toolKind(call)
  const hasError = call.status === 'error'
  const isAnswered = call.output.kind !== 'empty' || call.display !== null
  return (
    <div className="call-body">
      {hasError && kind !== 'shell' && <CallFailure id={id} call={call} />}
      {(!hasError || TELLS_ITS_AIM.has(kind)) && (
        <KindBody id={id} call={call} kind={kind} drawCalls={drawCalls} />
      )}
      {call.status === 'unanswered' && !isAnswered && (
        <p className="output-remark">No result was recorded.</p>
      )}
      <SavedOutputs id={id} callId={call.id} />
      {beside(call, kind).map((part, index) => (
        <PartBody key={`${index} ${part.kind}`} id={`${id}/extra-${index}`} part={part} />
      ))}
      <CallFoot id={id} call={call} />
    </div>
  )
}

/** Parts that came with the result; the files of a `read_many_files` are drawn as files. */
function beside(call: ToolCall, kind: ToolKind): Part[] {
  return kind === 'read-many' ? call.extraParts.filter((part) => part.kind !== 'text') : call.extraParts
}

/** What went wrong: a plain sentence, then the words of the error. */
function CallFailure({ id, call }: { id: string; call: ToolCall }) {
  const words = failureWords(call)
  const { output, display } = call
  const told = output.kind === 'error' || output.kind === 'text' ? output : display
  return (
    <>
      {words !== null && <p className="failure-sentence">{words.sentence}</p>}
      {told !== null && 'text' in told && (
        <OutputText id={`${id}/error`} output={{ ...told, kind: 'error' }} />
      )}
    </>
  )
}
