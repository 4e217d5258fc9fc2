import { foldTextOnly } from '@gemini-dash/api/fold-text'
import type { Compression, Turn } from 'gemini-sessions'

export type OutlineItem =
  | { kind: 'turn'; key: string; turn: Turn }
  | { kind: 'seam'; key: string; word: 'compressed' | 'resumed' }

interface OutlineSource {
  turns: readonly Turn[]
  compressions: readonly Compression[]
  /** Keys of the messages with which a later run went on. */
  resumedKeys: readonly string[]
}

/** Turns in order, with a seam before the first that begins after a compression or a resume. Turn 0 has no prompt to show. */
export function outlineItems({ turns, compressions, resumedKeys }: OutlineSource): OutlineItem[] {
  const resumed = new Set(resumedKeys)
  const items: OutlineItem[] = []
  let previousOffset = -1
  for (const turn of turns) {
    if (turn.number === 0) continue
    const isAfterSeam = compressions.some(
      ({ offset }) => offset > previousOffset && offset <= turn.firstOffset,
    )
    if (items.length > 0) {
      const key = `seam-${turn.messageKey}`
      if (isAfterSeam) items.push({ kind: 'seam', key, word: 'compressed' })
      else if (resumed.has(turn.messageKey)) items.push({ kind: 'seam', key, word: 'resumed' })
    }
    items.push({ kind: 'turn', key: turn.messageKey, turn })
    previousOffset = turn.firstOffset
  }
  return items
}

/** The turns whose prompt, or whose number, has these words; without words all of them. */
export function filterItems(items: readonly OutlineItem[], words: string): readonly OutlineItem[] {
  const wanted = foldTextOnly(words.trim())
  if (wanted === '') return items
  return items.filter(
    (item) =>
      item.kind === 'turn' &&
      (String(item.turn.number) === wanted || foldTextOnly(item.turn.prompt).includes(wanted)),
  )
}
