import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  healthSchema,
  messagePageSchema,
  questionPath,
  sessionListSchema,
  sessionPath,
} from '@gemini-dash/api'
import type { Cut, Message } from 'gemini-sessions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HostileHome, writeHostileHome } from '../../../fixtures/hostile/hostile-home.ts'
import { HOSTILE_SHAPES, HOSTILE_WORD, type HostileShape } from '../../../fixtures/hostile/hostile-shapes.ts'
import { everyQuestion } from './every-question.ts'
import { type RunningProgram, startProgram } from './run-program.ts'

/** What a session without a record does not have. */
const MAY_BE_MISSING = /\/parts\/|\/files\/change|turn=|\/compare/

let folder: string
let hostile: HostileHome
let program: RunningProgram
let port: number
let keys: Map<string, string>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-hostile-'))
  hostile = writeHostileHome(HOSTILE_SHAPES, ({ smallSize }) => smallSize, folder)
  const places = [
    '--home',
    hostile.home,
    '--cache-dir',
    join(folder, 'cache'),
    '--data-dir',
    join(folder, 'data'),
  ]
  program = startProgram(['serve', '--json', '--no-open', '--no-token', '--port', '0', ...places])
  port = JSON.parse(await program.firstLine).port
  while (healthSchema.parse(await json(questionPath('health'))).index.state !== 'ready') await sleep(50)
  const { sessions } = sessionListSchema.parse(await json(questionPath('sessions', { kind: 'all' })))
  keys = new Map(sessions.map(({ sessionId, key }) => [sessionId, key]))
})
afterAll(async () => {
  program.child.kill('SIGTERM')
  await program.finished
  rmSync(folder, { recursive: true })
})

const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
const json = async (path: string): Promise<unknown> => (await ask(path)).json()

/** A file that is not a session has no row: the questions are about the one beside it. */
function keyOf({ name }: HostileShape): string {
  const id = hostile.sessions.find(({ shape }) => shape.name === name)?.id ?? ''
  return keys.get(id) ?? keys.get(hostile.neighbour.id) ?? ''
}

async function messagesOf(shape: HostileShape): Promise<Message[]> {
  return messagePageSchema.parse(await json(sessionPath('messages', keyOf(shape)))).messages
}

test.each(HOSTILE_SHAPES)('B10, B11: $about: every route of it answers', async (shape) => {
  const questions = await questionsOf(shape)
  expect(await refused(questions.filter((path) => path.includes(keyOf(shape))))).toEqual([])
})

test('B10, B11: every route that answers of all sessions does so beside them', async () => {
  const [shape] = HOSTILE_SHAPES
  if (shape === undefined) throw new Error('There are no shapes.')
  const questions = await questionsOf(shape)
  expect(await refused(questions.filter((path) => !path.includes(keyOf(shape))))).toEqual([])
})

test('B11: an ordinary session beside them is found', async () => {
  expect(await json(questionPath('search', { q: hostile.neighbour.word }))).toMatchObject({ total: 1 })
  expect(await json(questionPath('search', { q: HOSTILE_WORD }))).toMatchObject({
    total: HOSTILE_SHAPES.length - 1,
  })
})

test.each(
  HOSTILE_SHAPES.filter(({ unit, name }) => unit !== 'levels' && !['garbage', 'torn-line'].includes(name)),
)('B11: $about: what is cut is named with its size and a link to its record, whole', async (shape) => {
  const cuts = (await messagesOf(shape)).flatMap(cutsOf)
  const [cut] = cuts
  const { bytes } = hostile.sessions.find((session) => session.shape === shape) ?? { bytes: 0 }
  expect(cuts).toHaveLength(1)
  // Only escapes and the surrounding JSON are not counted.
  expect((cut?.raw ?? cut)?.sizeBytes).toBeGreaterThan(bytes * 0.99)
  const record = await (await ask(cut?.raw?.href ?? '')).text()
  expect(record.length).toBeGreaterThan(0.7 * bytes)
  expect(record.endsWith('}}')).toBe(true)
  JSON.parse(record)
})

async function questionsOf(shape: HostileShape): Promise<string[]> {
  const messages = await messagesOf(shape)
  const asked = {
    key: keyOf(shape),
    messageKeys: messages.map(({ key }) => key),
    callIds: messages.flatMap(({ toolCalls }) => toolCalls.map(({ id }) => id)),
    word: HOSTILE_WORD,
  }
  return everyQuestion(asked).map(({ path }) => path)
}

/** Requests that fail, with their status. */
async function refused(paths: readonly string[]): Promise<[path: string, status: number][]> {
  const others: [string, number][] = []
  for (const path of paths) {
    const { status, body } = await ask(path)
    for await (const _ of body ?? []);
    if (status !== 200 && !(status === 404 && MAY_BE_MISSING.test(path))) others.push([path, status])
  }
  return others
}

function cutsOf({ content, toolCalls }: Message): Cut[] {
  const values = [...content, ...toolCalls, ...toolCalls.map(({ output }) => output)]
  return values.flatMap((value) => ('cut' in value && value.cut !== undefined ? [value.cut] : []))
}
