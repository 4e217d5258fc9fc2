import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Health, questionPath } from '../../packages/api/src/index.ts'
import type { FaultPart } from '../fault-part.ts'
import { expectAnswers, freshAnswers } from '../oracle/expect-fresh.ts'
import { expectHealthyEnd } from '../oracle/expect-healthy-end.ts'
import { foldersIn, type Server, startServer } from '../program/start-server.ts'
import { startWriting } from '../stand-in/writing-process.ts'
import type { Trial } from '../trial.ts'

const shim = (name: string) => `--require ${fileURLToPath(new URL(`../shims/${name}.cjs`, import.meta.url))}`
const HOUR_MS = 3_600_000
const BUSY_LOOPS = 4
const SUSPENDED_MS = 60_000
/** Longer than the allowed duration of a hang. */
const BOUNDED_SUSPENDED_MS = 12_000
const LONGEST_PAUSE_MS = 4_000
/** Processor time of the hanging process. */
const NOTICED_WORK_MS = 20_000
const SERVED_MS = 120_000
const LOOK_MS = 250
const RESTARTED = 'The dashboard stopped responding and was restarted.'

export const slowMachine: FaultPart = {
  name: 'slow-machine',
  does: 'R67: beside four busy loops, a server is suspended for a minute, its clock jumps by an hour, and nothing is restarted or missing; a loop that is planted in the thread that serves is noticed',
  needs: ['linux'],
  run: async (trial) => {
    while (trial.hasTime()) await runOnce(trial)
  },
}

async function runOnce(trial: Trial): Promise<void> {
  const folder = trial.newFolder()
  const places = foldersIn(folder)
  mkdirSync(places.home)
  const clock = join(folder, 'clock')
  const hang = join(folder, 'hang')
  const env = {
    NODE_OPTIONS: `${shim('moving-clock')} ${shim('hanging-server')}`,
    CLOCK_CONTROL: clock,
    HANG_CONTROL: hang,
  }
  const seed = trial.random.integer(1, 1_000_000)
  const loops = Array.from({ length: BUSY_LOOPS }, () => spawn(process.execPath, ['-e', 'for (;;);']))
  try {
    trial.at(`a machine with ${BUSY_LOOPS} busy loops (stand-in ${seed})`)
    const server = await startServer({ program: trial.program, ...places, env })
    const writing = startWriting(places.home, { seed, tearShare: 0, pauseMs: 20, signal: trial.signal })
    for (const disturb of inRandomOrder(trial, [suspend, jumpBack, jumpAhead])) {
      await sleep(trial.random.integer(0, LONGEST_PAUSE_MS))
      trial.addFaults()
      await disturb(trial, server, clock)
    }
    await writing.end()
    const fresh = await freshAnswers(trial, places.home)
    await expectAnswers(trial, server, fresh, { hasLookedOn: true })
    if (server.stderr().includes(RESTARTED)) trial.addDifferences(['a server that was slow was restarted'])
    await sleep(trial.random.integer(0, LONGEST_PAUSE_MS))
    trial.at(`a loop in the thread that serves (stand-in ${seed})`)
    trial.addFaults()
    await expectRestart(trial, server, hang)
    await expectAnswers(trial, server, fresh, { hasLookedOn: true })
    endAll(loops)
    await expectHealthyEnd(trial, server)
  } finally {
    endAll(loops)
  }
}

async function suspend(trial: Trial, server: Server): Promise<void> {
  process.kill(server.pid, 'SIGSTOP')
  await sleep(trial.isBounded ? BOUNDED_SUSPENDED_MS : SUSPENDED_MS)
  process.kill(server.pid, 'SIGCONT')
}

async function jumpBack(_trial: Trial, _server: Server, clock: string): Promise<void> {
  writeFileSync(clock, String(-HOUR_MS))
}

async function jumpAhead(_trial: Trial, _server: Server, clock: string): Promise<void> {
  writeFileSync(clock, String(HOUR_MS))
}

async function expectRestart(trial: Trial, server: Server, hang: string): Promise<void> {
  writeFileSync(hang, '')
  while (existsSync(hang)) await sleep(LOOK_MS)
  const startedMs = workOf(server.pid)
  while (!server.stderr().includes(RESTARTED)) {
    if (workOf(server.pid) - startedMs > NOTICED_WORK_MS) {
      trial.addDifferences([
        `a loop that does not end was not noticed after ${NOTICED_WORK_MS / 1000} s of work`,
      ])
      return
    }
    await sleep(LOOK_MS)
  }
  // Old connections are closed; new ones fail until another thread listens.
  for (const untilMs = performance.now() + SERVED_MS; performance.now() < untilMs; await sleep(LOOK_MS))
    if ((await server.get<Health>(questionPath('health')).catch(() => null)) !== null) return
  trial.addDifferences([`after a hang nothing is served for ${SERVED_MS / 1000} s`])
}

/** Processor time of a process, in ms: user and system, from hundredths of a second. */
function workOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

function inRandomOrder<Item>(trial: Trial, items: Item[]): Item[] {
  return items
    .map((item) => ({ item, place: trial.random.next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item)
}

function endAll(loops: ChildProcess[]): void {
  for (const loop of loops) loop.kill('SIGKILL')
}
