// Locates the values of rows in a database file (https://www.sqlite.org/fileformat2.html): flipping a bit there changes an answer, and
// nothing else in the file.

const FILE_HEADER_BYTES = 100
const PAGE_SIZE_AT = 16
const RESERVED_AT = 20
const TABLE_LEAF = 0x0d
const INDEX_LEAF = 0x0a
const LEAF_HEADER_BYTES = 8

/** Index of a bit inside a value of some row or index entry, from the start of the file; `random` is in [0, 1). */
export function bitOfValue(file: Buffer, random: () => number): number {
  const ranges = valueRanges(file)
  let byte = Math.floor(random() * ranges.reduce((sum, [from, to]) => sum + to - from, 0))
  for (const [from, to] of ranges) {
    if (byte < to - from) return (from + byte) * 8 + Math.floor(random() * 8)
    byte -= to - from
  }
  throw new Error('There is no row in this database.')
}

type Range = [from: number, to: number]

function valueRanges(file: Buffer): Range[] {
  const told = file.readUInt16BE(PAGE_SIZE_AT)
  const pageSize = told === 1 ? 65_536 : told
  const usable = pageSize - file.readUInt8(RESERVED_AT)
  const ranges: Range[] = []
  for (let page = 0; page < file.length; page += pageSize) {
    const header = page === 0 ? FILE_HEADER_BYTES : page
    const type = file.readUInt8(header)
    if (type !== TABLE_LEAF && type !== INDEX_LEAF) continue
    for (let cell = 0; cell < file.readUInt16BE(header + 3); cell += 1) {
      const at = page + file.readUInt16BE(header + LEAF_HEADER_BYTES + 2 * cell)
      ranges.push(valuesOfCell(file, { at, isTable: type === TABLE_LEAF, usable }))
    }
  }
  return ranges.filter(([from, to]) => to > from)
}

/** Excluding overflow pages. */
function valuesOfCell(
  file: Buffer,
  { at, isTable, usable }: { at: number; isTable: boolean; usable: number },
): Range {
  const payload = readVarint(file, at)
  const begin = isTable ? readVarint(file, payload.end).end : payload.end
  const most = isTable ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23
  const least = Math.floor(((usable - 12) * 32) / 255) - 23
  const split = least + ((payload.value - least) % (usable - 4))
  const local = payload.value <= most ? payload.value : split <= most ? split : least
  return [begin + readVarint(file, begin).value, begin + local]
}

function readVarint(file: Buffer, at: number): { value: number; end: number } {
  let value = 0
  for (let place = 0; place < 9; place += 1) {
    const byte = file[at + place] ?? 0
    if (place === 8) return { value: value * 256 + byte, end: at + 9 }
    value = value * 128 + (byte & 0x7f)
    if (byte < 0x80) return { value, end: at + place + 1 }
  }
  return { value, end: at + 9 }
}
