import type { PatchLine } from './parse-patch.ts'

/** Where a hunk begins, or a remark about the end of the file. */
export function DiffHead({ line, columns }: { line: PatchLine; columns: number }) {
  return (
    <tr className="diff-hunk">
      <td colSpan={columns}>{line.text}</td>
    </tr>
  )
}
