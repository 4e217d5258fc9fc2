import { hashOf } from './gzip-members.ts'

/** Shorter lines are times, counts and brackets, which change as a document is written anew. */
const SHORTEST_BYTES = 64

/**
 * Whether a document lacks something that it had: a line with an id, or a line of text. The CLI writes its documents with a
 * line for each value; of one that is a single line, any other content is something else.
 */
export async function lacksLines(earlier: Pieces, later: Pieces): Promise<boolean> {
  const there = new Set<string>()
  for await (const line of linesOf(later)) there.add(line)
  for await (const line of linesOf(earlier)) if (!there.has(line)) return true
  return false
}

type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** Names of the lines that count. */
async function* linesOf(pieces: Pieces): AsyncGenerator<string> {
  let rest: Uint8Array[] = []
  for await (const piece of pieces) {
    let from = 0
    for (let end = piece.indexOf(0x0a); end !== -1; end = piece.indexOf(0x0a, from)) {
      const name = nameOf(Buffer.concat([...rest, piece.subarray(from, end)]))
      if (name !== null) yield name
      rest = []
      from = end + 1
    }
    // copied: the piece may be written over
    if (from < piece.length) rest.push(Buffer.from(piece.subarray(from)))
  }
  const name = nameOf(Buffer.concat(rest))
  if (name !== null) yield name
}

/** null: it does not count. The last element of a list has no comma, until one comes behind it. */
function nameOf(line: Buffer): string | null {
  const text = line.at(-1) === 0x2c ? line.subarray(0, -1) : line
  return text.length >= SHORTEST_BYTES || text.includes('"id":') ? hashOf(text) : null
}
