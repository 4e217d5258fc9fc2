import { DiffHead } from './diff-head.tsx'
import { type DiffMarks, DiffText } from './diff-text.tsx'
import type { PatchLine } from './parse-patch.ts'

const SIGNS: Partial<Record<PatchLine['kind'], [sign: string, word: string]>> = {
  added: ['+', 'added'],
  removed: ['-', 'removed'],
}

/** Old and new number, sign, text. */
export function UnifiedRows({ lines, marks }: { lines: readonly PatchLine[]; marks: DiffMarks }) {
  return lines.map((line) => {
    if (line.kind === 'hunk' || line.kind === 'remark')
      return <DiffHead key={line.index} line={line} columns={4} />
    const [sign, word] = SIGNS[line.kind] ?? ['', '']
    return (
      <tr key={line.index} className={`diff-${line.kind}`}>
        <td className="diff-number old" data-line={line.oldNumber ?? ''} />
        <td className="diff-number" data-line={line.newNumber ?? ''} />
        <td className="diff-sign">
          <span aria-hidden="true">{sign}</span>
          <span className="visually-hidden">{word}</span>
        </td>
        <td className="diff-text">
          <DiffText line={line} marks={marks} />
        </td>
      </tr>
    )
  })
}
