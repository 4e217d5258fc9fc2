const NEWLINE = 10
/** How much of the beginning and of the end of a line that is too long is searched for its id. */
const BEGINNING_BYTES = 4_096
const END_BYTES = 256
/** Clients write `id` after only the protocol and the method, or as the last member. */
const ID_FIRST =
  /^\s*\{(?:\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,)*\s*"id"\s*:\s*(-?\d+|"(?:[^"\\]|\\.)*")\s*[,}]/
const ID_LAST = /,\s*"id"\s*:\s*(-?\d+|"(?:[^"\\]|\\.)*")\s*\}\s*$/

/**
 * The lines of `input`, each with its newline, of at most `maxBytes` before it. A longer line is skipped and never held in full;
 * `onTooLong` gets the id of its request, as JSON, or `null` if it is not found. It is called once for each such line: as soon as the id is
 * known, at the latest when the line ends or reaches ten times `maxBytes`.
 */
export async function* boundedLines(
  input: AsyncIterable<Buffer>,
  maxBytes: number,
  onTooLong: (id: string) => void,
): AsyncGenerator<Buffer> {
  const line = Buffer.alloc(maxBytes)
  let sizeBytes = 0
  let end = Buffer.alloc(0)
  let isReported = false
  const judge = (isEnded: boolean) => {
    if (sizeBytes <= maxBytes || isReported) return
    const [, first] = ID_FIRST.exec(line.toString('utf8', 0, BEGINNING_BYTES)) ?? []
    const [, last] = isEnded ? (ID_LAST.exec(end.toString()) ?? []) : []
    const isLate = isEnded || sizeBytes > 10 * maxBytes
    const id = first ?? last ?? (isLate ? 'null' : undefined)
    isReported = id !== undefined
    if (id !== undefined) onTooLong(id)
  }
  for await (const chunk of input) {
    for (let start = 0; start < chunk.length; ) {
      const newline = chunk.indexOf(NEWLINE, start)
      const piece = chunk.subarray(start, newline < 0 ? chunk.length : newline)
      start += piece.length + 1
      if (sizeBytes < maxBytes) piece.copy(line, sizeBytes)
      sizeBytes += piece.length
      end = Buffer.concat([end, piece.subarray(-END_BYTES)]).subarray(-END_BYTES)
      judge(newline >= 0)
      if (newline < 0) break
      if (sizeBytes <= maxBytes) yield Buffer.concat([line.subarray(0, sizeBytes), Buffer.of(NEWLINE)])
      sizeBytes = 0
      end = Buffer.alloc(0)
      isReported = false
    }
  }
  judge(true)
}
