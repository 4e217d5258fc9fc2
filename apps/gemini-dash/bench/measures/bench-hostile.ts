import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MessagePage, SessionList } from '@gemini-dash/api'
import { questionPath, sessionPath } from '@gemini-dash/api'
import { type HostileSession, writeHostileHome } from '../../../../fixtures/hostile/hostile-home.ts'
import { HOSTILE_SHAPES, HOSTILE_WORD } from '../../../../fixtures/hostile/hostile-shapes.ts'
import { type Askable, everyQuestion } from '../../test/every-question.ts'
import type { Figure } from '../figures/figure.ts'
import { targets } from '../figures/targets.ts'
import { memoryOf } from '../program/process-figures.ts'
import type { RunningServer } from '../program/running-server.ts'
import { timeOf } from '../program/time-of.ts'
import { newFolder, type Workbench, withServer } from '../program/workbench.ts'

/** How long to wait for an answer. */
const GIVE_UP_MS = 60_000
const LOOK_MS = 10
const COMMANDS = ['list', 'show', 'search', 'doctor']

/** Asks every question about homes with extreme content: how slow the slowest answer is, and the resources used. */
export async function benchHostile(bench: Workbench): Promise<Figure[]> {
  const { hostileShapes, hostilePercent } = bench.options
  const shapes = HOSTILE_SHAPES.filter(
    ({ name }) => hostileShapes.length === 0 || hostileShapes.includes(name),
  )
  const figures: Figure[] = []
  for (const shape of shapes) {
    process.stderr.write(`${shape.name} ... `)
    const folder = newFolder(bench, 'hostile')
    try {
      const size = Math.ceil((shape.fullSize * hostilePercent) / 100)
      const { home, sessions } = writeHostileHome([shape], () => size, folder)
      for (const session of sessions) {
        const place = {
          home,
          folder,
          session,
          label: `${shape.name}, ${(session.bytes / 1e6).toFixed(0)} MB`,
        }
        figures.push(...(await measureServer(bench, place)), ...(await measureCommands(bench, place)))
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  return figures
}

interface Place {
  home: string
  folder: string
  session: HostileSession
  label: string
}

/** While it is being indexed, and afterwards. */
function measureServer(bench: Workbench, { session, label, ...place }: Place): Promise<Figure[]> {
  const answers = new Answers()
  return withServer(bench, place, async (server) => {
    const ready = timeOf(() => withinLimit(server.whenReady(), 'to be indexed'))
    await askAll(server, answers, session, 'while indexed')
    const { milliseconds, result } = await ready
    if (result !== null) answers.problems.add(result)
    await askAll(server, answers, session, 'then')
    const memory = memoryOf(server.pid)?.highestBytes
    const shared = { benchmark: 'hostile', problems: [...answers.problems] } as const
    return [
      { ...shared, name: `${label}: until indexed`, unit: 'ms', values: [milliseconds] },
      {
        ...shared,
        name: `${label}: slowest of ${answers.count}`,
        unit: 'ms',
        values: [answers.slowestMs],
        target: targets.hostileAnswer,
        checked: answers.slowest,
      },
      {
        ...shared,
        name: `${label}: memory of the server`,
        unit: 'MB',
        values: memory === undefined ? [] : [memory / 1e6],
        target: targets.hostileMemory,
        checked: session.shape.about,
      },
    ]
  })
}

/** The slowest of many answers, and what went wrong. */
class Answers {
  count = 0
  slowestMs = 0
  slowest = ''
  readonly problems = new Set<string>()

  add(name: string, milliseconds: number, problem: string | null): void {
    this.count += 1
    if (milliseconds > this.slowestMs) {
      this.slowestMs = milliseconds
      this.slowest = name
    }
    if (problem !== null) this.problems.add(`${name}: ${problem}`)
  }
}

async function askAll(
  server: RunningServer,
  answers: Answers,
  session: HostileSession,
  when: string,
): Promise<void> {
  const asked = await findAskable(server, session)
  for (const { path } of everyQuestion(asked)) {
    const { milliseconds, result } = await timeOf(() => withinLimit(read(server, path), 'for its answer'))
    answers.add(`${path.replaceAll(asked.key, 'KEY')}, ${when}`, milliseconds, result)
  }
}

/** null: no problem. What a message or session does not have may be 404. */
async function read(server: RunningServer, path: string): Promise<string | null> {
  const answer = await server.open(path)
  for await (const _ of answer);
  const isWell = answer.statusCode === 200 || (answer.statusCode === 404 && /parts|change|turn=/.test(path))
  return isWell ? null : `status ${answer.statusCode}`
}

async function withinLimit(work: Promise<unknown>, what: string): Promise<string | null> {
  const timer = new AbortController()
  const late = sleep(GIVE_UP_MS, `no end of waiting ${what}`, { signal: timer.signal }).catch(() => null)
  try {
    const told = await Promise.race([work, late])
    return typeof told === 'string' ? told : null
  } catch (error) {
    return String(error)
  } finally {
    timer.abort()
  }
}

async function findAskable(server: RunningServer, { id }: HostileSession): Promise<Askable> {
  const { sessions } = await server.get<SessionList>(questionPath('sessions', { kind: 'all' }))
  const other = sessions.find(({ sessionId }) => sessionId !== id)
  // A file that is not a session has no row: then the questions are about the session beside it.
  const key = sessions.find(({ sessionId }) => sessionId === id)?.key ?? other?.key ?? ''
  const { messages } = await server.get<MessagePage>(sessionPath('messages', key))
  return {
    key,
    messageKeys: messages.map((message) => message.key),
    callIds: messages.flatMap(({ toolCalls }) => toolCalls.map(({ id }) => id)),
    word: HOSTILE_WORD,
  }
}

/** Each with its own empty index. */
async function measureCommands(bench: Workbench, { home, session, label }: Place): Promise<Figure[]> {
  const answers = new Answers()
  const memory: number[] = []
  for (const command of COMMANDS) {
    const words = { show: [session.id.slice(0, 8)], search: [HOSTILE_WORD] }[command] ?? []
    const folder = newFolder(bench, 'command')
    const places = ['--home', home, '--cache-dir', join(folder, 'cache'), '--data-dir', join(folder, 'data')]
    const { milliseconds, result } = await timeOf(() =>
      runCommand(bench, [command, ...words, ...places], memory),
    )
    // 1: what was found is incomplete, which the report states.
    answers.add(command, milliseconds, result === 0 || result === 1 ? null : `ended with ${result}`)
    rmSync(folder, { recursive: true, force: true })
  }
  const shared = { benchmark: 'hostile', problems: [...answers.problems] } as const
  return [
    {
      ...shared,
      name: `${label}: slowest of ${COMMANDS.length} commands`,
      unit: 'ms',
      values: [answers.slowestMs],
      target: targets.hostileAnswer,
      checked: answers.slowest,
    },
    {
      ...shared,
      name: `${label}: memory of commands`,
      unit: 'MB',
      values: memory,
      target: targets.hostileMemory,
    },
  ]
}

/** Returns its exit code. Adds the resources it used, as far as the system reports them while it runs. */
async function runCommand(
  { program, runtime }: Workbench,
  args: string[],
  memory: number[],
): Promise<number | null> {
  const child = spawn(runtime.executable, [program, ...args], {
    env: { PATH: process.env.PATH, CI: 'true' },
    stdio: 'ignore',
    timeout: GIVE_UP_MS,
    killSignal: 'SIGKILL',
  })
  let highestBytes = 0
  const timer = setInterval(() => {
    highestBytes = Math.max(highestBytes, memoryOf(child.pid ?? 0)?.highestBytes ?? 0)
  }, LOOK_MS)
  const [code] = await once(child, 'close')
  clearInterval(timer)
  if (highestBytes > 0) memory.push(highestBytes / 1e6)
  return code
}
