import type { Handover } from '@gemini-dash/api'
import { bytesOf, type Piece } from './quote.ts'

/** One thing that a section tells. `write` says it in at most so many bytes; null: it cannot. */
export interface Item {
  /** Where it stands among the others of its section. */
  place: number
  write: (maxBytes: number) => Piece | null
}

export interface Section {
  title: string
  counts: Exclude<keyof Handover['leftOut'], 'shortened'>
  /** Of the budget, beside the shares of the other sections. */
  share: number
  /** No item takes more, however large the budget is. */
  itemBytes: number
  /** The most telling first. */
  items: Item[]
}

export interface Fitted {
  /** As it is written; '' where nothing of the section fits. */
  texts: string[]
  leftOut: Handover['leftOut']
}

/** With less, a section says nothing that helps. */
const LEAST_BYTES = 100

/**
 * What of these sections fits. The first matters most: where there is little room it has all of it. Each has its share at
 * least, and what one does not need the others get.
 */
export function fitSections(sections: readonly Section[], maxBytes: number): Fitted {
  const leftOut = { prompts: 0, exchanges: 0, files: 0, errors: 0, commands: 0, shortened: 0 }
  const rooms = shareOut(sections, maxBytes)
  let spare = 0
  const texts = sections.map((section, at) => {
    const room = (rooms[at] ?? 0) + spare
    const { text, written, shortened } = fillSection(section, room)
    spare = room - bytesOf(text)
    leftOut[section.counts] += section.items.length - written
    leftOut.shortened += shortened
    return text
  })
  return { texts, leftOut }
}

/** Bytes for each section; together no more than there are. */
function shareOut(sections: readonly Section[], maxBytes: number): number[] {
  const needs = sections.map((section) => neededBytes(section, maxBytes))
  const rooms = sections.map(() => 0)
  let waiting = sections.flatMap(({ share }, at) => ((needs[at] ?? 0) > 0 ? [{ at, share }] : []))
  let left = maxBytes
  while (waiting.length > 0) {
    const shares = waiting.reduce((sum, { share }) => sum + share, 0)
    const portion = ({ share }: { share: number }) => Math.floor((left * share) / shares)
    const content = waiting.filter((section) => (needs[section.at] ?? 0) <= portion(section))
    if (content.length === 0) {
      const isTooSmall = waiting.length > 1 && waiting.some((section) => portion(section) < LEAST_BYTES)
      if (!isTooSmall) {
        for (const section of waiting) rooms[section.at] = portion(section)
        return rooms
      }
      waiting = waiting.slice(0, -1)
    }
    for (const { at } of content) {
      rooms[at] = needs[at] ?? 0
      left -= rooms[at] ?? 0
    }
    waiting = waiting.filter((section) => !content.includes(section))
  }
  return rooms
}

/** What it would take with all its items; more than there is need not be known exactly. */
function neededBytes({ title, items, itemBytes }: Section, maxBytes: number): number {
  if (items.length === 0) return 0
  let sum = headBytes(title)
  for (const { write } of items) {
    if (sum > maxBytes) break
    sum += bytesOf(write(itemBytes)?.text ?? '') + 1
  }
  return sum
}

function fillSection({ title, items, itemBytes }: Section, room: number) {
  const written: { place: number; text: string }[] = []
  let left = room - headBytes(title)
  let shortened = 0
  for (const { place, write } of items) {
    const said = left < 1 ? null : write(Math.min(itemBytes, left - 1))
    if (said === null) continue
    written.push({ place, text: said.text })
    left -= bytesOf(said.text) + 1
    if (said.isShortened) shortened++
  }
  const lines = written.toSorted((one, other) => one.place - other.place).map(({ text }) => text)
  const text = lines.length === 0 ? '' : `\n## ${title}\n\n${lines.join('\n')}\n`
  return { text, written: written.length, shortened }
}

/** With the lines around it. */
function headBytes(title: string): number {
  return bytesOf(`\n## ${title}\n\n`)
}
