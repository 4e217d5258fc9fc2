import type { ToolCall } from 'gemini-sessions'
import { numberArgument } from './tool-argument.ts'

export interface ReadResult {
  text: string
  firstLine: number
  /** As the CLI told: what was shown of how much. null where it told nothing. */
  shown: { first: number; last: number; total: number } | null
}

/** Up to 0.21 `[File content truncated: showing lines 1-2000 of 5000 total lines. …]`, later a paragraph with a status. */
const HEADS = [
  /^\s*IMPORTANT: The file content has been truncated\.\s*\nStatus: Showing lines (\d+)-(\d+) of (\d+) total lines\.[\s\S]*?--- FILE CONTENT \(truncated\) ---\n/,
  /^\[File content truncated: showing lines (\d+)-(\d+) of (\d+) total lines[^\]]*\]\n/,
]
const DISPLAYED = /^Read lines (\d+)-(\d+) of (\d+) from /
const HEAD_LENGTH = 2_000

/** A file that was read, without the CLI's own words before it. */
export function readResult(call: ToolCall, text: string): ReadResult {
  const start = text.slice(0, HEAD_LENGTH)
  const head = HEADS.map((pattern) => pattern.exec(start)).find((match) => match !== null) ?? null
  const display = call.display !== null && 'text' in call.display ? DISPLAYED.exec(call.display.text) : null
  const told = head ?? display
  const shown =
    told === null ? null : { first: Number(told[1]), last: Number(told[2]), total: Number(told[3]) }
  return { text: text.slice(head?.[0].length ?? 0), firstLine: shown?.first ?? askedFirstLine(call), shown }
}

/** `offset` counts lines from 0, the newer `start_line` (0.30+) from 1. */
function askedFirstLine(call: ToolCall): number {
  return numberArgument(call, 'start_line') ?? (numberArgument(call, 'offset') ?? 0) + 1
}
