import type { ToolCall } from '../../model/tool-call.ts'

interface Lines {
  from: number
  to: number
}

/** How the CLI says that it showed a part: up to 0.21 in brackets at the start, later in a paragraph with a status. */
const PART_SHOWN = /showing lines (\d+)-(\d+) of \d+ total lines/i
/** It stands before the text. */
const SEARCHED_CHARS = 300

/**
 * The lines of a file that a read brought, counted from 1; all of them where neither the result nor the call names any.
 * null where that cannot be told.
 */
export function readRange({ args, output }: Pick<ToolCall, 'args' | 'output'>): Lines | null {
  return shownRange(output) ?? askedRange(args)
}

function shownRange(output: ToolCall['output']): Lines | null {
  if (output.kind !== 'text' && output.kind !== 'markdown') return null
  const [, from, to] = PART_SHOWN.exec(output.text.slice(0, SEARCHED_CHARS)) ?? []
  return from === undefined || to === undefined ? null : { from: Number(from), to: Number(to) }
}

function askedRange(args: unknown): Lines | null {
  if (typeof args !== 'object' || args === null) return null
  const field = (name: string): number | undefined => {
    const value: unknown = Reflect.get(args, name)
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined
  }
  // 0.4 to 0.38 counted from an offset, later versions name the lines.
  const from = field('start_line') ?? (field('offset') ?? 0) + 1
  const limit = field('limit')
  const to = field('end_line') ?? (limit === undefined ? Number.POSITIVE_INFINITY : from + limit - 1)
  return to >= from ? { from, to } : null
}
