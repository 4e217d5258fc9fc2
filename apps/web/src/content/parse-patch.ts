import { keptChoice } from '../lib/preferences.ts'

export interface PatchLine {
  /** Index in the patch; its only identity. */
  index: number
  kind: 'same' | 'added' | 'removed' | 'hunk' | 'remark'
  text: string
  oldNumber: number | null
  newNumber: number | null
}

const HUNK_HEAD = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

/** Parses a unified diff, possibly truncated, into numbered lines. Empty if the text is not a diff. */
export function parsePatch(patch: string): PatchLine[] {
  const lines: PatchLine[] = []
  let hunk = { oldNumber: 0, newNumber: 0, oldLeft: 0, newLeft: 0 }
  const add = (kind: PatchLine['kind'], text: string, oldNumber: number | null, newNumber: number | null) =>
    lines.push({ index: lines.length, kind, text, oldNumber, newNumber })

  for (const line of patch.split('\n')) {
    const text = line.slice(1)
    const head = HUNK_HEAD.exec(line)
    // the counts distinguish a removed `-- comment` from the header of the next file
    if (hunk.oldLeft <= 0 && hunk.newLeft <= 0) {
      if (head !== null) {
        hunk = startHunk(head)
        add('hunk', line, null, null)
      } else if (line.startsWith('\\') && lines.length > 0) add('remark', text.trim(), null, null)
    } else if (line.startsWith('+')) {
      add('added', text, null, hunk.newNumber++)
      hunk.newLeft--
    } else if (line.startsWith('-')) {
      add('removed', text, hunk.oldNumber++, null)
      hunk.oldLeft--
    } else if (line.startsWith('\\')) {
      add('remark', text.trim(), null, null)
    } else {
      add('same', text, hunk.oldNumber++, hunk.newNumber++)
      hunk.oldLeft--
      hunk.newLeft--
    }
  }
  return lines
}

function startHunk(head: RegExpExecArray) {
  return {
    oldNumber: Number(head[1]),
    newNumber: Number(head[3]),
    oldLeft: Number(head[2] ?? 1),
    newLeft: Number(head[4] ?? 1),
  }
}

export type DiffLayout = 'unified' | 'split'

/** The preferred diff layout. */
export const diffChoice = keptChoice<DiffLayout>(
  'gemini-dash.diff',
  (kept) => (kept === 'split' ? 'split' : 'unified'),
  (layout) => layout,
)
