import type { PatchLine } from './parse-patch.ts'

/** One row of a diff in two columns. `head` spans both. */
export interface SplitRow {
  key: number
  head: PatchLine | null
  left: PatchLine | null
  right: PatchLine | null
}

/** Old lines left, new ones right; the n-th removed line of a block stands beside the n-th added one. */
export function splitRows(lines: readonly PatchLine[]): SplitRow[] {
  const rows: SplitRow[] = []
  let removed: PatchLine[] = []
  let added: PatchLine[] = []
  const close = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1) {
      const left = removed[at] ?? null
      const right = added[at] ?? null
      rows.push({ key: (left ?? right)?.index ?? -1, head: null, left, right })
    }
    removed = []
    added = []
  }
  for (const line of lines) {
    if (line.kind === 'removed') {
      if (added.length > 0) close()
      removed.push(line)
    } else if (line.kind === 'added') added.push(line)
    else {
      close()
      const isHead = line.kind !== 'same'
      rows.push({
        key: line.index,
        head: isHead ? line : null,
        left: isHead ? null : line,
        right: isHead ? null : line,
      })
    }
  }
  close()
  return rows
}
