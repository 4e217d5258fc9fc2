import type { ToolCall } from 'gemini-sessions'
import { languageOfPath } from '../../../../content/highlight/language-name.ts'
import { formatCount } from '../../../../lib/figures/format.ts'
import { readResult } from '../call/read-result.ts'
import { textArgument } from '../call/tool-argument.ts'
import { OutputBody } from '../output/output-body.tsx'
import { OutputText } from '../output/output-text.tsx'

/** A file that was read, with the numbers of its own lines. */
export function BodyRead({ id, call }: { id: string; call: ToolCall }) {
  const { output } = call
  // of a picture or a sound the text only says that it came
  const hasMedia = call.extraParts.some((part) => part.kind !== 'text')
  if (hasMedia && output.kind === 'text' && /^Binary content/.test(output.text)) return null
  if (output.kind !== 'text') return <OutputBody id={id} call={call} output={call.display ?? output} />
  const { text, firstLine, shown } = readResult(call, output.text)
  const language = languageOfPath(textArgument(call, 'file_path', 'absolute_path', 'path'))
  return (
    <>
      {shown !== null && shown.last - shown.first + 1 < shown.total && (
        <p className="output-remark in-terminal">
          Lines {formatCount(shown.first)} to {formatCount(shown.last)} of {formatCount(shown.total)}
        </p>
      )}
      <OutputText
        id={id}
        output={{ ...output, text }}
        code={{ language, firstLine }}
        readWhole={(whole) => readResult(call, whole).text}
      />
    </>
  )
}
