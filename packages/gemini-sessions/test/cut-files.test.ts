import { describe, expect, it } from 'vitest'
import { parseSessionFile, readSessionHead } from '../src/index.ts'
import { type FixtureFile, readFixtureFile, readFixtureFiles } from './session-files.ts'
import { type WholeRecord, wholeRecords } from './whole-records.ts'

/** Smaller files are cut at every byte, larger ones around this many of their records. */
const SMALL_BYTES = 1_500
const RECORDS_CUT = 30

describe('R30: a file cut at any byte keeps every record that is whole', () => {
  it.each(readFixtureFiles())('$path', ({ path, bytes }) => {
    const records = wholeRecords(path, bytes)
    for (const end of cutsOf(bytes, records)) {
      const cut = parseSessionFile({ path, bytes: bytes.subarray(0, end) })
      const whole = records.filter((record) => record.end <= end)
      const told = `cut at byte ${end} of ${bytes.length}`
      expect(cut.messages.map(({ id }) => id).sort(), told).toEqual(recordedIds(whole))
      expect(spentTokens(cut.messages), told).toBe(recordedTokens(whole))
      expect(cut.issues.length > 0, told).toBe(!isComplete(bytes, end, whole, records))
      readSessionHead(bytes.subarray(0, end))
    }
  })
})

describe('a JSON file that ends in the middle', () => {
  const file = readFixtureFile('0.38.2', 'ca41b954')
  const [first, second] = wholeRecords(file.path, file.bytes)

  it('is damaged, says where it ends, and still knows its session', () => {
    const cut = parseSessionFile({ ...file, bytes: file.bytes.subarray(0, (first?.end ?? 0) + 50) })
    expect(cut).toMatchObject({ isDamaged: true, format: 'json', messages: [{ id: first?.rows[0]?.id }] })
    expect(cut.issues).toEqual([{ code: 'truncated-json', at: `byte ${(first?.end ?? 0) + 50}`, args: {} }])
    expect(cut.header).toMatchObject({
      sessionId: 'ca41b954-3c7e-40d6-98cb-c755fb989daa',
      startTime: '2026-11-21T20:36:02.459Z',
    })
  })

  it('may end in NULs, or have them where the rest should be', () => {
    const bytes = file.bytes.slice()
    bytes.fill(0, (second?.end ?? 0) - 40)
    expect(idsOf(file, bytes)).toEqual([first?.rows[0]?.id])
  })

  it('is whole where the rest of a longer version stands behind it', () => {
    const rest = new TextEncoder().encode('"status": "success"\n      }\n    }\n  ]\n}')
    const parsed = parseSessionFile({ ...file, bytes: new Uint8Array([...file.bytes, ...rest]) })
    expect(parsed.messages.map(({ id }) => id)).toEqual(idsOf(file, file.bytes))
    expect(parsed.issues).not.toEqual([])
  })

  it('on one line keeps its whole messages too', () => {
    const line = new TextEncoder().encode(JSON.stringify(JSON.parse(new TextDecoder().decode(file.bytes))))
    expect(idsOf(file, line.subarray(0, -5))).toEqual(idsOf(file, file.bytes))
    expect(idsOf({ ...file, path: `${file.path}l` }, line.subarray(0, -5))).toEqual(idsOf(file, file.bytes))
  })
})

function idsOf({ path }: FixtureFile, bytes: Uint8Array): string[] {
  return parseSessionFile({ path, bytes }).messages.map(({ id }) => id)
}

function cutsOf(bytes: Uint8Array, records: readonly WholeRecord[]): Iterable<number> {
  if (bytes.length <= SMALL_BYTES) return bytes.keys()
  const cuts = new Set<number>([0, 1, 40, bytes.length - 1])
  const stride = Math.ceil(records.length / RECORDS_CUT)
  records.forEach(({ end }, index) => {
    if (index % stride > 0) return
    const start = records[index - 1]?.end ?? 0
    for (const cut of [start + Math.floor((end - start) / 2), end - 1, end, end + 1]) cuts.add(cut)
  })
  return [...cuts].filter((cut) => cut <= bytes.length)
}

/** A log that ends after a record is complete; a document is incomplete until the last byte. */
function isComplete(
  bytes: Uint8Array,
  end: number,
  whole: readonly WholeRecord[],
  records: readonly WholeRecord[],
): boolean {
  if (bytes[1] === 10) return end === bytes.length
  const last = whole.at(-1)?.end ?? -2
  return end === last || end === last + 1 || (end === bytes.length && whole.length === records.length)
}

function recordedIds(records: readonly WholeRecord[]): string[] {
  return [...new Set(records.flatMap(({ rows }) => rows.map(({ id }) => id)))].sort()
}

/** Each id counts with the last tokens recorded for it. */
function recordedTokens(records: readonly WholeRecord[]): number {
  const byId = new Map<string, number>()
  for (const { id, tokens } of records.flatMap(({ rows }) => rows))
    if (tokens?.total) byId.set(id, tokens.total)
  return [...byId.values()].reduce((sum, total) => sum + total, 0)
}

function spentTokens(messages: readonly { usage: { total: number } | null }[]): number {
  return messages.reduce((sum, { usage }) => sum + (usage?.total ?? 0), 0)
}
