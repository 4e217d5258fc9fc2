import { classNames } from '../../lib/browser/class-names.ts'
import type { CodeToken } from '../highlight/code-token.ts'
import { MachineText } from '../text/machine-text.tsx'
import { lineRuns } from './line-runs.ts'
import type { PatchLine } from './parse-patch.ts'
import type { WordPiece } from './word-changes.ts'

export interface DiffMarks {
  colours: Map<number, CodeToken[]>
  words: Map<number, WordPiece[]>
  /** Lines end in different ways, so each says how. */
  hasMixedEnds: boolean
}

/** The text of one line, in its colours, with what changed in it marked. */
export function DiffText({ line, marks }: { line: PatchLine; marks: DiffMarks }) {
  const isWindows = line.text.endsWith('\r')
  const text = isWindows ? line.text.slice(0, -1) : line.text
  return (
    <>
      {lineRuns(text, marks.colours.get(line.index), marks.words.get(line.index)).map((run) => (
        <span
          key={run.start}
          className={
            classNames(run.role !== null && `code-${run.role}`, run.isChanged && 'diff-word') || undefined
          }
        >
          <MachineText text={run.text} />
        </span>
      ))}
      {isWindows && marks.hasMixedEnds && (
        <span className="control-mark" title="This line ends with CR LF, as on Windows">
          CR
        </span>
      )}
    </>
  )
}
