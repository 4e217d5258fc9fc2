import { useMemo } from 'react'
import { BLOCK_ROWS, LazyBlocks } from '../code/lazy-blocks.tsx'
import { AnsiLines } from './ansi-lines.tsx'
import { parseAnsi } from './parse-ansi.ts'
import { plainAnsi } from './plain-ansi.ts'
import { stylesAtBlocks } from './styles-at-blocks.ts'

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
