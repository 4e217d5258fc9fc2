import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { SessionList } from '../../packages/api/src/index.ts'
import type { FaultPart } from '../fault-part.ts'
import { type Answers, collectAnswers, type Get } from '../oracle/answers.ts'
import { expectAnswers } from '../oracle/expect-fresh.ts'
import { expectHealthyEnd, expectQuiet } from '../oracle/expect-healthy-end.ts'
import { findDifferences } from '../oracle/find-differences.ts'
import { foldersIn, runCommand, type Server, type Start, startServer } from '../program/start-server.ts'
import { runOnStillHome, type StillHome } from '../still-home.ts'
import type { Trial } from '../trial.ts'

const SHIM = fileURLToPath(new URL('../shims/held-descriptors.cjs', import.meta.url))
/** From barely enough to start a process to plenty: in between, opening files fails during work. */
const FREE = [24, 60] as const
/** In the short form, waiting for threads with growing restart delays takes too long. */
const BOUNDED_FREE = [38, 60] as const
const LIMIT = 160
/** How long it may keep trying. */
const TRYING_MS = 5_000
const SHOWN = 20
const SAYS_WHY = /ulimit -n|EMFILE|open files/
/**
 * Without a descriptor for a connection, the runtime closes it without notifying the program; this affects any server. It must answer or
 * give a reason when asked again.
 */
const ENDED_UNHEARD = /ECONNRESET|UND_ERR_SOCKET/
const ASK_AGAIN_MS = 100

export const fewDescriptors: FaultPart = {
  name: 'few-descriptors',
  does: 'R35: a process may open few files: it answers whole, tells what it could not read, or says what to raise and ends; and it is whole when there are more',
  needs: ['linux'],
  run: async (trial) => {
    await runOnStillHome(trial, (still) => runOnce(trial, still))
  },
}

async function runOnce(trial: Trial, { home, fresh }: StillHome): Promise<void> {
  const [least, most] = trial.isBounded ? BOUNDED_FREE : FREE
  const free = trial.random.integer(least, most)
  trial.at(`${free} descriptors`)
  trial.addFaults()
  const folder = trial.newFolder()
  const places = { program: trial.program, ...foldersIn(folder), home }
  await expectCommand(trial, { ...places, before: `ulimit -n ${free}` }, fresh)
  const control = join(folder, 'control')
  writeFileSync(control, '')
  const env = { NODE_OPTIONS: `--require ${SHIM}`, FAULT_CONTROL: control, HELD: String(LIMIT - free) }
  const server = await startOrSay(trial, { ...places, env, before: `ulimit -n ${LIMIT}` })
  if (server === null) return
  await expectToldAnswers(trial, server, fresh)
  rmSync(control)
  trial.at(`${free} descriptors, and then enough`)
  await expectAnswers(trial, server, fresh)
  await expectHealthyEnd(trial, server)
}

async function expectCommand(trial: Trial, start: Start, fresh: Answers): Promise<void> {
  const { code, stdout, stderr } = await runCommand(start, ['list', '--kind=all', '--json', '--limit=1000'])
  expectQuiet(trial, stderr)
  if (code === 0) {
    const { sessions }: SessionList = JSON.parse(stdout)
    trial.addDifferences(findDifferences(sessions, fresh.rows).slice(0, SHOWN))
  } else if (!/ulimit -n/.test(stderr) && code !== 3)
    trial.addDifferences([`list ended with ${code} and does not say what to raise: ${stderr}`])
}

/** null: it exited and said which limit to raise. */
async function startOrSay(trial: Trial, start: Start): Promise<Server | null> {
  try {
    return await startServer(start)
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    expectQuiet(trial, said)
    if (!/ulimit -n/.test(said)) trial.addDifferences([`the server does not say what to raise: ${said}`])
    return null
  }
}

/** With so few files it may refuse requests with a reason, or report unread files. */
async function expectToldAnswers(trial: Trial, server: Server, fresh: Answers): Promise<void> {
  const isReady = server.whenReady().then(
    () => true,
    () => false,
  )
  if (!(await Promise.race([isReady, sleep(TRYING_MS, false)]))) return
  try {
    const get = askingAgain(server.get)
    const answers = await collectAnswers(get)
    const { unread } = await get<SessionList>('/api/sessions?limit=0')
    if (unread === undefined) trial.addDifferences(findDifferences(answers, fresh).slice(0, SHOWN))
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    if (!SAYS_WHY.test(said + server.stderr())) trial.addDifferences([said])
  }
}

/** Repeats a request until it gets an answer, within the time limit. */
function askingAgain(get: Get): Get {
  return async <Answer>(path: string) => {
    const untilMs = performance.now() + TRYING_MS
    for (;;) {
      try {
        return await get<Answer>(path)
      } catch (error) {
        if (!ENDED_UNHEARD.test(String(error)) || performance.now() > untilMs) throw error
        await sleep(ASK_AGAIN_MS)
      }
    }
  }
}
