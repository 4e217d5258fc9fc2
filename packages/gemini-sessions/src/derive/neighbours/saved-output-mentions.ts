import type { Part } from '../../model/part.ts'
import type { ToolCall } from '../../model/tool-call.ts'
import type { ToolOutput } from '../../model/tool-output.ts'

/**
 * How the CLI says where the whole output lies:
 * "The full output has been saved to: PATH" (0.8 to 0.25), "Output too large. … For full output see: PATH" (0.26+),
 * "Full output available at: PATH" and "Full output/string saved to: PATH]" (masked, 0.29+; distilled, 0.4x+).
 */
const MENTION =
  /full (?:output|string) (?:available at|saved to|has been saved to|see):[ \t]*([^\r\n<>"\]]+?)[ \t]*(?=[\r\n<>"\]]|$)/gi
/** A mention stands at the very start or end of a text, behind or before a preview of some thousand characters. */
const SEARCHED_CHARS = 16_384

/** Paths that a call's result names as the place of the whole output, `/` on every system, each once. */
export function savedOutputMentions({ output, display, extraParts }: ToolCall): string[] {
  const texts = [output, display, ...extraParts].flatMap((piece) => (piece === null ? [] : textsOf(piece)))
  const paths = texts.flatMap((text) => [...endsOf(text).matchAll(MENTION)].map(([, path]) => path ?? ''))
  return [...new Set(paths.map((path) => path.replaceAll('\\', '/')))].filter(isOfTheCli)
}

function textsOf(piece: ToolOutput | Part): string[] {
  if ('text' in piece) return [piece.text]
  if (piece.kind === 'ansi')
    return [piece.lines.map((line) => line.map(({ text }) => text).join('')).join('\n')]
  return []
}

function endsOf(text: string): string {
  if (text.length <= 2 * SEARCHED_CHARS) return text
  return `${text.slice(0, SEARCHED_CHARS)}\n${text.slice(-SEARCHED_CHARS)}`
}

/** A tool's own words may say the same of any file: only places that the CLI saves to count (loose ones up to 0.28). */
function isOfTheCli(path: string): boolean {
  if (path.split('/').includes('..')) return false
  return /\/tool[-_]outputs?\/./.test(path) || /\/tmp\/[0-9a-f]{64}\/[^/]+\.(txt|output)$/.test(path)
}
