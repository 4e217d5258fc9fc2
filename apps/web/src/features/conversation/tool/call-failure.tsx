import type { ToolCall } from 'gemini-sessions'
import { failureWords } from './call/failure-words.ts'
import { OutputText } from './output/output-text.tsx'

/** What went wrong: a plain sentence, then the words of the error. */
export function CallFailure({ id, call }: { id: string; call: ToolCall }) {
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
