import type { Compression, Turn } from 'gemini-sessions'

export type OutlineItem = { kind: 'turn'; key: string; turn: Turn } | { kind: 'seam'; key: string }

/** Turns in order, with a seam before the first that begins after a compression. Turn 0 has no prompt to show. */
export function outlineItems(turns: readonly Turn[], compressions: readonly Compression[]): OutlineItem[] {
  const items: OutlineItem[] = []
  let previousOffset = -1
  for (const turn of turns) {
    if (turn.number === 0) continue
    const isAfterSeam = compressions.some(
      ({ offset }) => offset > previousOffset && offset <= turn.firstOffset,
    )
    if (isAfterSeam && items.length > 0) items.push({ kind: 'seam', key: `seam-${turn.messageKey}` })
    items.push({ kind: 'turn', key: turn.messageKey, turn })
    previousOffset = turn.firstOffset
  }
  return items
}

/** The turns whose prompt, or whose number, has these words; without words all of them. */
export function filterItems(items: readonly OutlineItem[], words: string): readonly OutlineItem[] {
  const wanted = words.trim().toLocaleLowerCase()
  if (wanted === '') return items
  return items.filter(
    (item) =>
      item.kind === 'turn' &&
      (String(item.turn.number) === wanted || item.turn.prompt.toLocaleLowerCase().includes(wanted)),
  )
}
