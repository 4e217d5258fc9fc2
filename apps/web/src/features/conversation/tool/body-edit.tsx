import type { ToolCall } from 'gemini-sessions'
import { OutputBody } from './output-body.tsx'
import { OutputDiff } from './output-diff.tsx'
import { proposedDiff } from './proposed-diff.ts'

/** An edit: what changed, or what was to be changed and was not. */
export function BodyEdit({ id, call }: { id: string; call: ToolCall }) {
  const isDone = call.status === 'success'
  if (call.display?.kind === 'diff') {
    return isDone ? (
      <OutputDiff id={id} output={call.display} />
    ) : (
      <OutputDiff id={id} output={call.display} remark="Proposed, not applied" />
    )
  }
  const proposed = isDone ? null : proposedDiff(call)
  if (proposed !== null) return <OutputDiff id={id} output={proposed} remark="Was to be changed" />
  return <OutputBody id={id} call={call} output={call.display ?? call.output} />
}
