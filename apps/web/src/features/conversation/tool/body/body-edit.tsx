import type { ToolCall } from 'gemini-sessions'
import { proposedDiff } from '../call/proposed-diff.ts'
import { toolArgument } from '../call/tool-argument.ts'
import { OutputBody } from '../output/output-body.tsx'
import { OutputDiff } from '../output/output-diff.tsx'

/** An edit: what changed, or what was to be changed and was not. */
export function BodyEdit({ id, call }: { id: string; call: ToolCall }) {
  const isDone = call.status === 'success'
  const toldPath = toolArgument(call, null)
  if (call.display?.kind === 'diff') {
    return isDone ? (
      <OutputDiff id={id} output={call.display} toldPath={toldPath} />
    ) : (
      <OutputDiff id={id} output={call.display} toldPath={toldPath} remark="Proposed, not applied" />
    )
  }
  const proposed = isDone ? null : proposedDiff(call)
  if (proposed !== null)
    return <OutputDiff id={id} output={proposed} toldPath={toldPath} remark="Was to be changed" />
  return <OutputBody id={id} call={call} output={call.display ?? call.output} />
}
