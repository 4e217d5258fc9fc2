import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '../../fixtures/seeded-random.ts'
import type { KeepStatus } from '../../packages/api/src/index.ts'
import { Archive, readVersion } from '../../packages/archive/src/index.ts'
import type { FaultPart } from '../fault-part.ts'
import { expectHealthyEnd, expectQuiet } from '../oracle/expect-healthy-end.ts'
import { expectUntouched } from '../oracle/untouched.ts'
import { foldersIn, runCommand, type Start, startServer } from '../program/start-server.ts'
import { writeHome } from '../stand-in/write-home.ts'
import type { Trial } from '../trial.ts'

const KILLS = 5
const LARGE_LOGS = 4
/** More than the archive includes in its index. */
const LARGE_LOG_LINES = 50_000
/** Relative to the size of the archive. */
const SHARES_PERCENT = [5, 120] as const
const SESSION_LOG = /\/chats\/[^.][^/]*\.jsonl?$|\/chats\/[^/]+\/[^.][^/]*\.jsonl?$/

export const keptArchive: FaultPart = {
  name: 'kept-archive',
  does: 'R39, R40, R41: whoever keeps sessions is killed, has another one beside it, has bits of its archive turned over, or has a disk with too little room',
  needs: ['linux', 'user namespace'],
  run: async (trial) => {
    const kinds = [bits, killed, several, noRoom]
    for (let run = trial.seed; trial.hasTime(); run += 1) {
      const folder = trial.newFolder()
      const places = foldersIn(folder)
      writeHome(places.home, trial.random.integer(1, 1_000_000), 60)
      writeLargeLogs(places.home, trial.random.integer(1, 1_000_000))
      await expectUntouched(trial, places.home, async () => {
        // a short run has time for only two kinds
        const chosen = trial.isBounded ? [kinds[run % 4], kinds[(run + 2) % 4]] : kinds
        for (const [place, kind] of chosen.entries())
          await kind?.(trial, {
            program: trial.program,
            ...places,
            data: join(folder, `data-${place}`),
          })
      })
    }
  },
}

/** Killed repeatedly while writing, the archive must list nothing that does not exist; the next scan archives the rest. */
async function killed(trial: Trial, start: Start): Promise<void> {
  const moments = Array.from({ length: KILLS }, () => trial.random.integer(250, 1_200))
  trial.at(`keep on, killed after ${moments.join(', ')} ms`)
  for (const ms of moments) {
    const { stderr } = await runCommand({ ...start, before: `exec timeout -s KILL ${ms / 1000} "$@"` }, [
      'keep',
      'on',
    ])
    expectQuiet(trial, stderr)
    trial.addFaults()
    await expectWhole(trial, start, { isAll: false })
  }
  await keep(trial, start, 'on')
  await expectWhole(trial, start, { isAll: true })
  await expectStatus(trial, start)
}

/** A server that scans and is killed, and four simultaneous commands: they must write one after the other. */
async function several(trial: Trial, start: Start): Promise<void> {
  trial.at('a server that is killed, and four commands at once')
  await keep(trial, { ...start, home: start.home }, 'on', 'off')
  const first = await startServer(start)
  const commands = Array.from({ length: 4 }, () => keep(trial, start, 'on'))
  await sleep(trial.random.integer(0, 1_500))
  await first.end('SIGKILL')
  trial.addFaults()
  const second = await startServer(start)
  await Promise.all(commands)
  await keep(trial, start, 'now')
  await expectHealthyEnd(trial, second)
  await expectWhole(trial, start, { isAll: true })
  await expectStatus(trial, start)
}

/** Damage is detected, and repaired as long as the file is in the Gemini folder. */
async function bits(trial: Trial, start: Start): Promise<void> {
  await keep(trial, start, 'on')
  const folder = archiveIn(start.data)
  // without its index every pack is reread anyway
  const aimedAt = trial.random.next() < 0.5 ? /\.pack$/ : /\.pack$|^index$/
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    aimedAt.test(name),
  )
  const flipped = files.map((name) => {
    const path = join(folder, name)
    const { atimeMs, mtimeMs, size } = statSync(path)
    const bytes = readFileSync(path)
    // after the first record, whose loss could hide all others
    const at = trial.random.integer(size >> 2, size - 1)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << trial.random.integer(0, 7))
    writeFileSync(path, bytes)
    utimesSync(path, atimeMs / 1000, mtimeMs / 1000)
    trial.addFaults()
    return `${name} at ${at}`
  })
  trial.at(`a bit of ${flipped.join(', ')}`)
  await keep(trial, start, 'now')
  await expectWhole(trial, start, { isAll: true })
  const { damagedFiles } = await statusOf(trial, start)
  trial.addDifferences(damagedFiles.map(({ path }) => `${path} is told as damaged, and was stored again`))
}

/** It stops with a message, and everything listed so far is complete. */
async function noRoom(trial: Trial, start: Start): Promise<void> {
  const whole = { ...start, data: `${start.data}-whole` }
  await keep(trial, whole, 'on')
  const { storedBytes } = await statusOf(trial, whole)
  const share = trial.random.integer(...SHARES_PERCENT)
  const sizeKb = Math.ceil((storedBytes / 1024) * (share / 100)) + 16
  trial.at(`keep on with a disk of ${sizeKb} kB, ${share} % of what it takes`)
  trial.addFaults()
  mkdirSync(`${start.data}-disk`)
  const mount = `mount -t tmpfs -o size=${sizeKb}k tmpfs "${start.data}-disk"`
  const script = `${mount} && { "$@"; code=$?; cp -r "${start.data}-disk/." "${start.data}"; exit $code; }`
  mkdirSync(start.data)
  const onDisk = {
    ...start,
    data: `${start.data}-disk`,
    before: `exec unshare -Urm bash -c '${script}' bash "$@"`,
  }
  const { code, stderr } = await runCommand(onDisk, ['keep', 'on'])
  expectQuiet(trial, stderr)
  const isTold = /no room left|ENOSPC|no space left/i.test(stderr)
  if (code !== (isTold ? 1 : 0))
    trial.addDifferences([`it ended with ${code}, and said: ${stderr.slice(0, 500) || 'nothing'}`])
  await expectWhole(trial, start, { isAll: code === 0 })
  // with enough space it continues
  await keep(trial, start, 'on')
  await expectWhole(trial, start, { isAll: true })
  await expectStatus(trial, start)
}

async function keep(trial: Trial, start: Start, ...actions: string[]): Promise<void> {
  for (const action of actions) {
    const { code, stderr } = await runCommand(start, ['keep', action])
    expectQuiet(trial, stderr)
    if (code !== 0) trial.addDifferences([`keep ${action} ended with ${code}: ${stderr.slice(0, 500)}`])
  }
}

async function statusOf(trial: Trial, start: Start): Promise<KeepStatus> {
  const { stdout, stderr } = await runCommand(start, ['keep', 'status', '--json'])
  expectQuiet(trial, stderr)
  return JSON.parse(stdout)
}

async function expectStatus(trial: Trial, start: Start): Promise<void> {
  const { damaged, problem, onlyHere } = await statusOf(trial, start)
  if (damaged > 0 || problem !== null || onlyHere > 0)
    trial.addDifferences([`status: ${damaged} damaged, ${onlyHere} nowhere else, ${problem ?? 'no problem'}`])
}

/** Expects every archived file to have the listed content, byte for byte, exactly once. `isAll`: every log of a session is archived. */
async function expectWhole(
  trial: Trial,
  { home, data }: Start,
  { isAll }: { isAll: boolean },
): Promise<void> {
  const folder = archiveIn(data)
  const archive = new Archive(folder)
  if (existsSync(join(folder, 'archive.json'))) archive.refresh()
  for (const { path, versions } of archive.manifest.files()) {
    if (versions.length > 1) trial.addDifferences([`${path} is there ${versions.length} times`])
    const version = versions.at(-1)
    if (version === undefined) continue
    try {
      const pieces: Uint8Array[] = []
      for await (const piece of readVersion(archive, version)) pieces.push(piece)
      if (!Buffer.concat(pieces).equals(readFileSync(join(home, path))))
        trial.addLosses([`${path} is kept otherwise than it is`])
    } catch (error) {
      trial.addLosses([`${path} cannot be read: ${error}`])
    }
  }
  if (!isAll) return
  const logs = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((path) =>
    SESSION_LOG.test(path),
  )
  trial.addLosses(
    logs.filter((path) => archive.manifest.find(path) === null).map((path) => `${path} is not kept`),
  )
}

/** The archive's folder; a nonexistent one if there is no archive. */
function archiveIn(data: string): string {
  const parent = join(data, 'archive')
  return join(parent, (existsSync(parent) ? readdirSync(parent)[0] : undefined) ?? 'none')
}

/** Enough work to be interrupted. */
function writeLargeLogs(home: string, seed: number): void {
  const random = seededRandom(seed)
  const [project = ''] = readdirSync(join(home, 'tmp')).filter((name) =>
    existsSync(join(home, 'tmp', name, 'chats')),
  )
  for (let log = 0; log < LARGE_LOGS; log += 1) {
    const id = `${log}${log}${log}${log}0000-0000-4000-8000-000000000000`
    const lines = Array.from({ length: LARGE_LOG_LINES }, (_, line) =>
      JSON.stringify({
        id: `m${line}`,
        type: 'user',
        content: [{ text: `go on ${random.next()} ${random.next()}` }],
      }),
    )
    const head = JSON.stringify({ sessionId: id, projectHash: 'x', startTime: '2026-11-20T10:00:00.000Z' })
    writeFileSync(
      join(home, 'tmp', project, 'chats', `session-2026-11-20T10-0${log}-${id.slice(0, 8)}.jsonl`),
      [head, ...lines, ''].join('\n'),
    )
  }
}
