import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findHomes } from 'gemini-sessions/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AGY_ID, agyScript, agyUsage } from '../../../fixtures/antigravity/agy-conversation.ts'
import type { AgyEvent } from '../../../fixtures/antigravity/agy-script.ts'
import { writeAgyConversation } from '../../../fixtures/antigravity/write-agy-home.ts'
import { machineTime } from '../../../fixtures/machine-time.ts'
import { seededRandom } from '../../../fixtures/seeded-random.ts'
import { ArchiveControl } from '../src/keep/archive-control.ts'

/** `KEPT_COMMITS=1000 npx vitest run …` for a conversation of 10 MB. */
const COMMITS = Number(process.env.KEPT_COMMITS ?? 24)
const STEP_BYTES = 10_000

let root: string
let home: string
let folder: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'kept-conversations-'))
  home = join(root, '.gemini')
  folder = join(home, 'antigravity-cli')
  mkdirSync(join(home, 'tmp'), { recursive: true })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function openControl(): ArchiveControl {
  const homes = findHomes({ homeArguments: [root], env: {}, userHome: '/nobody' })
  const desk = new ArchiveControl({ dataFolder: join(root, 'data'), homes, tell: () => {} })
  desk.change({ enabled: true })
  return desk
}

/** As if nothing had been written for an hour. */
function rest(at: number): void {
  const time = new Date(machineTime().getTime() - 3_600_000 + at * 1000)
  for (const name of readdirSync(folder, { recursive: true }))
    utimesSync(join(folder, String(name)), time, time)
}

function manyEvents(): AgyEvent[] {
  const random = seededRandom(7)
  return Array.from({ length: COMMITS / 2 }, (_, turn): AgyEvent[] => [
    { kind: 'prompt', text: `Question ${turn}: ${random.hex(100)}` },
    { kind: 'answer', text: random.hex(STEP_BYTES * 2), usage: agyUsage() },
  ]).flat()
}

describe('a conversation that is kept', { timeout: 60_000 + COMMITS * 5_000 }, () => {
  it.each([
    ['each of whose steps is committed once', false],
    ['whose answers are written anew', true],
  ])('%s adds at most twice its size, though it rests after each commit', async (_, hasDrafts) => {
    const sizes: number[] = []
    const staged = join(root, 'staged')
    const afterStep = (path: string) => sizes.push(statSync(`${path}-wal`).size)
    const script = agyScript(manyEvents())
    const source = writeAgyConversation(staged, script, {
      database: { afterStep, hasDrafts, promptBytes: 500 },
    })
    const target = join(folder, 'conversations', `${AGY_ID}.db`)
    const logs = join('brain', AGY_ID, '.system_generated/logs')
    for (const path of [dirname(target), join(folder, logs)]) mkdirSync(path, { recursive: true })
    copyFileSync(source, target)
    const log = readFileSync(`${source}-wal`)
    const transcripts = ['transcript_full.jsonl', 'transcript.jsonl'].map((name) => {
      const text = readFileSync(join(staged, 'antigravity-cli', logs, name), 'utf8')
      return { path: join(folder, logs, name), lines: text.split('\n').slice(0, -1) }
    })
    const desk = openControl()
    for (const [commit, size] of sizes.entries()) {
      writeFileSync(`${target}-wal`, log.subarray(0, size))
      for (const { path, lines } of transcripts) {
        const count = Math.round(((commit + 1) / sizes.length) * lines.length)
        writeFileSync(
          path,
          lines
            .slice(0, count)
            .map((line) => `${line}\n`)
            .join(''),
        )
      }
      rest(commit)
      const [run] = await desk.run()
      expect(run).toMatchObject({ unread: 0, changing: 0, moving: 0, hindrance: null })
    }
    const { storedBytes, rawBytes, sessions } = desk.status()
    const finalBytes = COMMITS * (STEP_BYTES + 100)
    expect(sessions).toBe(1)
    expect(rawBytes).toBeGreaterThan(finalBytes)
    if (process.env.KEPT_COMMITS)
      process.stdout.write(`${sizes.length} commits: ${storedBytes / finalBytes}\n`)
    expect(storedBytes).toBeLessThan(2 * finalBytes)
  })
})
