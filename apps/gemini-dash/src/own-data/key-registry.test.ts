import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { toSessionRecord } from '@gemini-dash/session-index'
import fc from 'fast-check'
import type { Session } from 'gemini-sessions'
import { findHomes, readSessionGroup, surveyHomes } from 'gemini-sessions/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KeyRegistry, openKeyFile } from './key-registry.ts'

const PROJECTS = ['shop', 'store', 'web']
const ID = '4363c94e-b2c5-4034-b4ff-8148ed6493c9'

let folder: string
let home: string
let data: string
let count = 0
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-keys-'))
  home = join(folder, '.gemini')
  data = join(folder, 'data')
  for (const project of PROJECTS) mkdirSync(join(home, 'tmp', project, 'chats'), { recursive: true })
  for (const project of PROJECTS)
    writeFileSync(join(home, 'tmp', project, '.project_root'), `/home/mia/${project}`)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const pathOf = (project: string, name: string) =>
  `tmp/${project}/chats/session-2026-11-21T20-30-${name}.jsonl`
const absolute = (path: string) => join(home, path)
const line = (record: object) => `${JSON.stringify(record)}\n`

function message(): object {
  count += 1
  return { id: `m${count}`, timestamp: '2026-11-21T20:31:00.000Z', type: 'user', content: `said ${count}` }
}

function create(path: string, minute = 30): void {
  const startTime = `2026-11-21T20:${minute}:00.000Z`
  const head = {
    sessionId: ID,
    projectHash: `of ${path.split('/')[1]}`,
    startTime,
    lastUpdated: startTime,
    kind: 'main',
  }
  writeFileSync(absolute(path), line(head) + line(message()))
}

/** What a start of the program finds: it records what it reads. */
async function look(keys: KeyRegistry, at = home): Promise<Session[]> {
  const homes = findHomes({ homeArguments: [at], env: {}, userHome: folder })
  const first = await surveyHomes(homes)
  keys.expect(first.scan.files, [at])
  const { groups } = await surveyHomes(homes, keys)
  const sessions: Session[] = []
  for (const { files, claims } of groups) sessions.push(...(await readSessionGroup(files, { claims })))
  keys.note(sessions.map((session) => toSessionRecord(session)))
  keys.flush()
  return sessions
}

const keysByPath = (sessions: readonly Session[]) =>
  new Map(sessions.flatMap(({ key, files }) => files.map(({ path }) => [path, key] as const)))
const firstMessage = ({ messages }: Session) => messages[0]?.id

type Step =
  | { kind: 'create'; path: string; minute: number }
  | { kind: 'copy' | 'move' | 'fork'; from: number; path: string }
  | { kind: 'continue' | 'delete'; from: number }
  | { kind: 'restart' }

const anyPath = fc
  .record({
    project: fc.constantFrom(...PROJECTS),
    name: fc.constantFrom('aaaaaaaa', 'bbbbbbbb', 'cccccccc'),
  })
  .map(({ project, name }) => pathOf(project, name))
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), path: anyPath, minute: fc.constantFrom(30, 30, 31) }),
  fc.record({
    kind: fc.constantFrom('copy' as const, 'move' as const, 'fork' as const),
    from: fc.nat(),
    path: anyPath,
  }),
  fc.record({ kind: fc.constantFrom('continue' as const, 'delete' as const), from: fc.nat() }),
  fc.record({ kind: fc.constant('restart' as const) }),
)

/** Returns the files that were deleted or replaced. */
function perform(step: Step, paths: Set<string>): string[] {
  if (step.kind === 'restart') return []
  if (step.kind === 'create') {
    if (paths.has(step.path)) return []
    create(step.path, step.minute)
    paths.add(step.path)
    return []
  }
  const from = [...paths].sort()[step.from % Math.max(paths.size, 1)]
  if (from === undefined) return []
  if (step.kind === 'continue') {
    appendFileSync(absolute(from), line(message()))
    return []
  }
  if (step.kind === 'delete') {
    rmSync(absolute(from))
    paths.delete(from)
    return [from]
  }
  if (!('path' in step) || paths.has(step.path)) return []
  paths.add(step.path)
  if (step.kind === 'move') {
    renameSync(absolute(from), absolute(step.path))
    paths.delete(from)
    return [from]
  }
  cpSync(absolute(from), absolute(step.path))
  if (step.kind === 'fork') appendFileSync(absolute(step.path), line(message()))
  return []
}

describe('the keys of sessions that were copied, moved, forked and continued', () => {
  it('I2: never change their conversation, across restarts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 4, maxLength: 14 }), async (steps) => {
        for (const project of PROJECTS) rmSync(join(home, 'tmp', project, 'chats'), { recursive: true })
        for (const project of PROJECTS) mkdirSync(join(home, 'tmp', project, 'chats'))
        if (existsSync(data)) for (const name of readdirSync(data)) rmSync(join(data, name))
        const paths = new Set<string>()
        let keys = new KeyRegistry(openKeyFile(data, () => {}))
        const conversations = new Map<string, string | undefined>()
        let before = new Map<string, string>()
        for (const step of steps) {
          for (const path of perform(step, paths)) before.delete(path)
          if (step.kind === 'restart') keys = new KeyRegistry(openKeyFile(data, () => {}))
          const sessions = await look(keys)
          const now = keysByPath(sessions)
          expect(new Set(sessions.map(({ key }) => key)).size).toBe(sessions.length)
          const led = sessions.flatMap(({ ownKeys }) => ownKeys)
          expect(new Set(led).size).toBe(led.length)
          for (const [path, key] of before) expect([path, now.get(path)]).toEqual([path, key])
          for (const session of sessions)
            for (const key of session.ownKeys) {
              expect([key, conversations.get(key) ?? firstMessage(session)]).toEqual([
                key,
                firstMessage(session),
              ])
              conversations.set(key, firstMessage(session))
            }
          before = now
        }
      }),
      { numRuns: 60 },
    )
  })

  it('I2: are the same without a record, in whatever order the files appeared', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyStep, { minLength: 3, maxLength: 10 }),
        fc.array(fc.nat(), { minLength: 9, maxLength: 9 }),
        async (steps, order) => {
          for (const project of PROJECTS) rmSync(join(home, 'tmp', project, 'chats'), { recursive: true })
          for (const project of PROJECTS) mkdirSync(join(home, 'tmp', project, 'chats'))
          const paths = new Set<string>()
          for (const step of steps) perform(step, paths)
          const other = join(folder, 'other', '.gemini')
          rmSync(other, { recursive: true, force: true })
          cpSync(home, other, { recursive: true, filter: (path) => !path.endsWith('.jsonl') })
          const shuffled = [...paths].sort(
            (a, b) => (order[a.length % 9] ?? 0) - (order[b.length % 9] ?? 0) || (a < b ? 1 : -1),
          )
          for (const path of shuffled) cpSync(absolute(path), join(other, path))
          const one = keysByPath(await look(new KeyRegistry()))
          expect(keysByPath(await look(new KeyRegistry(), other))).toEqual(one)
        },
      ),
      { numRuns: 25 },
    )
  })
})

describe('a key', () => {
  it('I2: stays with the conversation that was there first when a copy sorts before it', async () => {
    const keys = new KeyRegistry(openKeyFile(data, () => {}))
    create(pathOf('store', 'bbbbbbbb'))
    const [first] = await look(keys)
    cpSync(absolute(pathOf('store', 'bbbbbbbb')), absolute(pathOf('shop', 'aaaaaaaa')))
    const now = keysByPath(await look(new KeyRegistry(openKeyFile(data, () => {}))))
    expect(now.get(pathOf('store', 'bbbbbbbb'))).toBe(first?.key)
    expect(now.get(pathOf('shop', 'aaaaaaaa'))).not.toBe(first?.key)
  })

  it('goes with a session that was moved by hand, and is none of another conversation with its id and start', async () => {
    create(pathOf('shop', 'aaaaaaaa'))
    const [first] = await look(new KeyRegistry(openKeyFile(data, () => {})))
    renameSync(absolute(pathOf('shop', 'aaaaaaaa')), absolute(pathOf('web', 'cccccccc')))
    const [moved] = await look(new KeyRegistry(openKeyFile(data, () => {})))
    expect(moved?.key).toBe(first?.key)
    rmSync(absolute(pathOf('web', 'cccccccc')))
    create(pathOf('store', 'bbbbbbbb'))
    const [other] = await look(new KeyRegistry(openKeyFile(data, () => {})))
    expect(other?.key).not.toBe(first?.key)
  })

  it('is found again when its home was copied to another place with its record', async () => {
    create(pathOf('store', 'bbbbbbbb'))
    await look(new KeyRegistry(openKeyFile(data, () => {})))
    cpSync(absolute(pathOf('store', 'bbbbbbbb')), absolute(pathOf('shop', 'aaaaaaaa')))
    const before = keysByPath(await look(new KeyRegistry(openKeyFile(data, () => {}))))
    const other = join(folder, 'restored', '.gemini')
    mkdirSync(dirname(other))
    renameSync(home, other)
    expect(keysByPath(await look(new KeyRegistry(openKeyFile(data, () => {})), other))).toEqual(before)
    renameSync(other, home)
  })

  it('survives a line that is damaged and one that was cut off', async () => {
    create(pathOf('store', 'bbbbbbbb'))
    await look(new KeyRegistry(openKeyFile(data, () => {})))
    cpSync(absolute(pathOf('store', 'bbbbbbbb')), absolute(pathOf('shop', 'aaaaaaaa')))
    const before = keysByPath(await look(new KeyRegistry(openKeyFile(data, () => {}))))
    const file = join(data, 'keys.jsonl')
    const text = readFileSync(file, 'utf8')
    expect(text).not.toContain('shop')
    writeFileSync(file, `${text}\nnot json\n{"home":"x","pla`)
    create(pathOf('web', 'cccccccc'), 31)
    const now = keysByPath(await look(new KeyRegistry(openKeyFile(data, () => {}))))
    const again = keysByPath(await look(new KeyRegistry(openKeyFile(data, () => {}))))
    expect(again).toEqual(now)
    for (const [path, key] of before) expect(now.get(path)).toBe(key)
  })

  it('leaves no trace of a session that is deleted from gemini-dash', async () => {
    create(pathOf('store', 'bbbbbbbb'))
    const keys = new KeyRegistry(openKeyFile(data, () => {}))
    const [session] = await look(keys)
    keys.forget(new Set(session?.ownKeys))
    expect(readFileSync(join(data, 'keys.jsonl'), 'utf8')).not.toContain(session?.key ?? '')
    rmSync(absolute(pathOf('store', 'bbbbbbbb')))
    expect(keys.originOf(session?.key ?? '')).toBeUndefined()
  })
})

it('keeps what it noted since its first lines were written, and not yet wrote itself', async () => {
  const paths = ['aaaaaaaa', 'bbbbbbbb'].map((name) => pathOf('shop', name))
  for (const [at, path] of paths.entries()) create(path, 30 + at)
  const keys = new KeyRegistry(openKeyFile(data, () => {}))
  const homes = findHomes({ homeArguments: [home], env: {}, userHome: folder })
  const { scan, groups } = await surveyHomes(homes, keys)
  keys.expect(scan.files, [home])
  const sessions: Session[] = []
  for (const { files, claims } of groups) sessions.push(...(await readSessionGroup(files, { claims })))
  const [first, second] = sessions.map((session) => toSessionRecord(session))
  if (first === undefined || second === undefined) throw new Error('Two sessions are expected.')
  keys.note([first])
  keys.flush()
  keys.note([second])
  keys.expect(scan.files, [home])
  expect(paths.map((path) => keys.keysOf({ home, path })?.session)).toEqual([
    first.summary.key,
    second.summary.key,
  ])
})
