import { DiffHead } from './diff-head.tsx'
import { type DiffMarks, DiffText } from './diff-text.tsx'
import type { PatchLine } from './parse-patch.ts'
import type { SplitRow } from './split-rows.ts'

/** The old file left, the new one right. */
export function SplitTableRows({ rows, marks }: { rows: readonly SplitRow[]; marks: DiffMarks }) {
  return rows.map(({ key, head, left, right }) =>
    head === null ? (
      <tr key={key}>
        <Side line={left} number={left?.oldNumber ?? null} marks={marks} />
        <Side line={right} number={right?.newNumber ?? null} marks={marks} />
      </tr>
    ) : (
      <DiffHead key={key} line={head} columns={4} />
    ),
  )
}

function Side({ line, number, marks }: { line: PatchLine | null; number: number | null; marks: DiffMarks }) {
  const kind = line === null ? 'diff-nothing' : `diff-${line.kind}`
  return (
    <>
      <td className={`diff-number ${kind}`} data-line={number ?? ''} />
      <td className={`diff-text ${kind}`}>
        {line !== null && (
          <>
            {line.kind !== 'same' && <span className="visually-hidden">{line.kind} </span>}
            <DiffText line={line} marks={marks} />
          </>
        )}
      </td>
    </>
  )
}
