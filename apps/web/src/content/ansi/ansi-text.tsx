import { LazyBlocks } from '../code/lazy-blocks.tsx'
import { AnsiLines } from './ansi-lines.tsx'
import type { AnsiLine } from './ansi-span.ts'

const LINE_HEIGHT_PX = 20

/** Lines of terminal output in their colours. Stands inside a `pre`. */
export function AnsiText({ lines }: { lines: readonly AnsiLine[] }) {
  return (
    <LazyBlocks items={lines} as="span" rowHeightPx={LINE_HEIGHT_PX}>
      {(block) => <AnsiLines lines={block} />}
    </LazyBlocks>
  )
}
