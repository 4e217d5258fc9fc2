import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'
import sqlite from 'node-sqlite3-wasm'
import { agyOpening, agyScript, agyUsage } from '../../../fixtures/antigravity/agy-conversation.ts'
import { type AgyEvent, playAgyScript } from '../../../fixtures/antigravity/agy-script.ts'
import { writeAgyDatabase } from '../../../fixtures/antigravity/write-agy-database.ts'
import { readConversation, readFolderRecords } from '../src/index.ts'

// npx tsx packages/antigravity-sessions/bench/reading.ts Two conversations: 100 MB of steps, and 8 MB of steps with 120 MB of rendered
// prompts. Each is read by this package, and its steps alone by SQLite and BinaryReader, in turns.
const ROUNDS = 5
const home = mkdtempSync(join(tmpdir(), 'agy-bench-'))
try {
  for (const [name, turns, textBytes, promptBytes] of [
    ['100 MB of steps', 2000, 50_000, 1000],
    ['8 MB of steps, 120 MB of prompts', 1000, 8_000, 120_000],
  ] as const) {
    const { path, id } = write(turns, textBytes, promptBytes)
    const copy = join(home, 'copy.db')
    for (const ending of ['', '-wal']) copyFileSync(`${path}${ending}`, `${copy}${ending}`)
    const ours: number[] = []
    const theirs: number[] = []
    let bytes = 0
    for (let round = 0; round < ROUNDS; round++) {
      theirs.push(
        await measure(() => {
          bytes = readWithSqlite(copy)
        }),
      )
      ours.push(await measure(() => readConversation({ home, id }, readFolderRecords(home))))
    }
    const [own, other] = [median(ours), median(theirs)]
    const megabytes = (statSync(path).size + statSync(`${path}-wal`).size) / 1e6
    process.stdout.write(
      `${name} (${megabytes.toFixed(0)} MB on disk, ${(bytes / 1e6).toFixed(0)} MB of steps): ` +
        `${own.toFixed(0)} ms, SQLite and BinaryReader ${other.toFixed(0)} ms, ` +
        `${(other / own).toFixed(2)} times its speed, ${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB\n`,
    )
  }
} finally {
  rmSync(home, { recursive: true, force: true })
}

function write(turns: number, textBytes: number, promptBytes: number): { path: string; id: string } {
  const events: AgyEvent[] = [...agyOpening()]
  const line = 'The quick brown fox jumps over the lazy dog: größer, schneller.\n'
  for (let turn = 0; turn < turns; turn++)
    events.push(
      {
        kind: 'answer',
        text: '',
        calls: [{ name: 'view_file', args: { AbsolutePath: '/x', turn } }],
        usage: agyUsage(),
      },
      { kind: 'view', uri: 'file:///x', text: line.repeat(Math.ceil(textBytes / line.length)) },
    )
  const script = agyScript(events)
  const path = join(home, `antigravity-cli/conversations/${script.id}.db`)
  mkdirSync(dirname(path), { recursive: true })
  writeAgyDatabase(path, script, playAgyScript(script), { promptBytes, checkpointAfter: events.length - 10 })
  return { path, id: script.id }
}

/** Every field of every step, two levels deep: the minimum for any reader. */
function readWithSqlite(path: string): number {
  const database = new sqlite.Database(path)
  let bytes = 0
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE')
    for (const { step_payload: payload } of database.all('SELECT step_payload FROM steps ORDER BY idx')) {
      if (!(payload instanceof Uint8Array)) continue
      bytes += payload.length
      readFields(payload, 2)
    }
  } finally {
    database.close()
  }
  return bytes
}

function readFields(bytes: Uint8Array, depth: number): void {
  const reader = new BinaryReader(bytes)
  while (reader.pos < reader.len) {
    const [, type] = reader.tag()
    if (type !== WireType.LengthDelimited) reader.skip(type)
    else if (depth === 1) reader.string()
    else readFields(reader.bytes(), depth - 1)
  }
}

async function measure(run: () => unknown): Promise<number> {
  const startMs = performance.now()
  await run()
  return performance.now() - startMs
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0
}
