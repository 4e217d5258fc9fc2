import { useMemo } from 'react'
import { BLOCK_ROWS, LazyBlocks } from '../code/lazy-blocks.tsx'
import { AnsiLines } from './ansi-lines.tsx'
import { parseAnsi } from './parse-ansi.ts'
import { plainAnsi } from './plain-ansi.ts'

const COLOUR = new RegExp(`${'\u001b'}\\[[\\d;:]*m`, 'g')

const RESET = new RegExp(`^${'\u001b'}\\[0*m$`)

/** More colours than these at once are none that a reader could tell. */
const MAX_OPEN = 200

const LINE_HEIGHT_PX = 20

/** Terminal output as it was recorded, in its colours; what is out of sight is not even read. Stands inside a `pre`. */
export function AnsiSource({ text }: { text: string }) {
  const lines = useMemo(() => plainAnsi(text).split('\n'), [text])
  const styles = useMemo(() => stylesAtBlocks(lines, BLOCK_ROWS), [lines])
  return (
    <LazyBlocks items={lines} as="span" rowHeightPx={LINE_HEIGHT_PX}>
      {(block, start) => <Block text={(styles[start / BLOCK_ROWS] ?? '') + block.join('\n')} />}
    </LazyBlocks>
  )
}

function Block({ text }: { text: string }) {
  return <AnsiLines lines={useMemo(() => parseAnsi(text), [text])} />
}

/** The colour sequences that are in force at the start of each block of lines, so that each can be read by itself. */
export function stylesAtBlocks(lines: readonly string[], blockLines: number): string[] {
  const styles: string[] = []
  // of sequences that repeat only the last one counts
  const open = new Set<string>()
  for (const [index, line] of lines.entries()) {
    if (index % blockLines === 0) styles.push([...open].slice(-MAX_OPEN).join(''))
    for (const [sequence] of line.matchAll(COLOUR)) {
      open.delete(sequence)
      if (RESET.test(sequence)) open.clear()
      else open.add(sequence)
    }
  }
  return styles
}
