import type { ContextCall, ContextXray } from 'gemini-sessions'
import { blockName, type Tone } from './xray-series.ts'

/** A line of the list: a block, or the calls of all tools together. */
export interface BlockRow {
  name: string
  tone: Tone
  tokens: number
  /** Than in the call before; null where there is none. */
  more: number | null
  /** Nothing else grew as much. */
  grewMost: boolean
}

const MAX_ROWS = 10

/** What a prompt was made of, largest first; blocks that neither it nor the one before had are left out. */
export function callBlocks(
  { blocks, calls }: ContextXray,
  tones: readonly Tone[],
  call: ContextCall,
): { rows: BlockRow[]; others: number } {
  const before = call.before === null ? undefined : calls[call.before]
  const rows = new Map<string, BlockRow>()
  for (const [block, tone] of tones.entries()) {
    const tokens = call.tokens[block] ?? 0
    const tokensBefore = before?.tokens[block] ?? 0
    if (tokens === 0 && tokensBefore === 0) continue
    const name = blockName(blocks[block])
    const row = rows.get(name) ?? {
      name,
      tone,
      tokens: 0,
      more: before === undefined ? null : 0,
      grewMost: false,
    }
    row.tokens += tokens
    if (row.more !== null) row.more += tokens - tokensBefore
    rows.set(name, row)
  }
  const most = Math.max(...[...rows.values()].map(({ more }) => more ?? 0))
  for (const row of rows.values()) row.grewMost = most > 0 && row.more === most
  const sorted = [...rows.values()].sort((one, other) => other.tokens - one.tokens)
  return { rows: sorted.slice(0, MAX_ROWS), others: Math.max(sorted.length - MAX_ROWS, 0) }
}
