import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { type RecoverAnswer, recoverAnswerSchema, sessionListSchema } from '@gemini-dash/api'
import type { Message } from 'gemini-sessions'
import { beforeEach, expect, test } from 'vitest'
import { machineTime } from '../../../fixtures/machine-time.ts'
import { fixtureHome } from './open-test-server.ts'
import { inLines, useQuietHome } from './quiet-home.ts'

const ID = 'f0f0f0f0-1111-4111-8111-111111111111'
const LOG = 'tmp/shop/chats/session-2026-11-20T10-00-f0f0f0f0.jsonl'
const AGENT = `tmp/shop/chats/${ID}/abcdef.jsonl`
const OUTPUT = `tmp/shop/tool-outputs/session-${ID}/run_1.txt`

const place = useQuietHome()
const { write, run, json, inHome } = place
beforeEach(() => write('tmp/shop/.project_root', join(place.root, 'shop')))

function rows(texts: readonly string[], id = ID) {
  return texts.map((text, index) => ({
    id: `${id}-${index}`,
    timestamp: `2026-11-20T10:0${index}:00.000Z`,
    ...(index % 2 === 0 ? { type: 'user', content: [{ text }] } : { type: 'gemini', content: text }),
  }))
}
const head = (sessionId = ID, kind = 'main') => ({
  sessionId,
  projectHash: 'f'.repeat(64),
  startTime: '2026-11-20T10:00:00.000Z',
  lastUpdated: '2026-11-20T10:09:00.000Z',
  kind,
})

const recover = async (...args: string[]): Promise<RecoverAnswer> =>
  recoverAnswerSchema.parse(await json('recover', ...args))
const list = async (...args: string[]) => sessionListSchema.parse(await json('list', ...args)).sessions
const keep = async () => expect((await run('keep', 'on')).code).toBe(0)

/** The messages that the CLI holds of it, wherever its file is. */
async function live(key: string): Promise<object[]> {
  const { messages } = (await json('show', key)) as { messages: Message[] }
  return messages.flatMap(({ source: _, segment: __, ...message }) =>
    message.superseded === null ? [message] : [],
  )
}

test('what is told is written, byte for byte but for one line, with sub-agents and outputs, and can be undone', async () => {
  write(
    LOG,
    inLines(
      head(),
      ...rows(['one', 'two', 'three']),
      { $rewindTo: `${ID}-2` },
      ...rows(['one', 'two', 'other']),
    ),
  )
  write(AGENT, inLines(head('abcdef', 'subagent'), ...rows(['task', 'done'], 'abcdef')))
  write(OUTPUT, 'all of the output')
  await keep()
  const [row] = await list()
  const before = await live(row?.key ?? '')
  const texts = new Map(
    [LOG, AGENT, OUTPUT].map((path) => [path, readFileSync(join(place.home, path), 'utf8')]),
  )
  for (const path of ['tmp/shop/chats', 'tmp/shop/tool-outputs'])
    rmSync(join(place.home, path), { recursive: true })
  const empty = inHome()

  const dry = await recover(ID)
  expect([dry.refused, dry.written, inHome()]).toEqual([[], null, empty])
  const begun = machineTime()
  const done = await recover(ID, '--write')
  expect(done.writes.map(({ sizeBytes }) => sizeBytes)).toEqual(dry.writes.map(({ sizeBytes }) => sizeBytes))
  const own = done.writes.at(-1)?.path ?? ''
  expect(done.writes.map(({ path }) => path)).toEqual([AGENT, OUTPUT, own])
  expect(inHome()).toEqual([...empty, AGENT, OUTPUT, own].sort())
  expect(own).toMatch(/^tmp\/shop\/chats\/session-\d{4}-\d\d-\d\dT\d\d-\d\d-(?!f0f0f0f0)[0-9a-f]{8}\.jsonl$/)
  for (const path of [AGENT, OUTPUT])
    expect(readFileSync(join(place.home, path), 'utf8')).toBe(texts.get(path))
  const text = readFileSync(join(place.home, own), 'utf8')
  expect(text.startsWith(texts.get(LOG) ?? '-')).toBe(true)
  const { lastUpdated } = JSON.parse(text.slice(texts.get(LOG)?.length)).$set
  expect(Date.parse(lastUpdated)).toBeGreaterThanOrEqual(begun.getTime())
  expect((await list()).map(({ key, deletedSeen }) => [key, deletedSeen])).toEqual([[row?.key, null]])
  expect(await live(row?.key ?? '')).toEqual(before)

  const again = await run('recover', ID)
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('Nothing to recover')])
  // Even after the archive has taken it meanwhile, removing it is not a loss: the session is as before, with its sub-agent.
  await keep()
  expect((await run('recover', '--undo', done.written ?? '')).code).toBe(0)
  expect(inHome()).toEqual(empty)
  const gone = await list('--kind', 'all')
  const paths = gone.flatMap(({ files }) => files.map((file) => file.path))
  expect(paths.sort()).toEqual([AGENT, LOG].sort())
  expect(gone.map(({ deletedSeen }) => deletedSeen)).not.toContain(null)
  expect(await live(row?.key ?? '')).toEqual(before)
})

test('parts of several files become one, in the form that the home uses', async () => {
  write(
    'tmp/shop/chats/session-2026-11-19T10-00-0123abcd.json',
    JSON.stringify({ ...head('0123abcd'), messages: rows(['hello', 'hi'], 'x') }, null, 2),
  )
  write(LOG, inLines(head(), ...rows(['one', 'two', 'three', 'four'])))
  const older = 'tmp/shop/chats/session-2026-11-20T09-00-f0f0f0f0.json'
  write(older, JSON.stringify({ ...head(), messages: [...rows(['one']), ...rows(['nought'], 'a')] }, null, 2))
  await keep()
  const before = await live(ID)
  expect(before).toHaveLength(5)
  for (const path of [LOG, older]) rmSync(join(place.home, path))
  const { writes, refused } = await recover(ID, '--write')
  expect([writes.length, refused]).toEqual([1, []])
  const path = writes[0]?.path ?? ''
  expect(path).toMatch(/\.json$/)
  const { messages, ...metadata } = JSON.parse(readFileSync(join(place.home, path), 'utf8'))
  expect(metadata).toMatchObject({ sessionId: ID, kind: 'main', startTime: head().startTime })
  expect(messages.map(({ id }: { id: string }) => id)).toEqual(
    before.map((message) => (message as Message).id),
  )
  expect(await live(ID)).toEqual(before)
})

test('what is whole in the home, in use, or without a folder of the CLI is refused, and nothing is written', async () => {
  write(LOG, inLines(head(), ...rows(['one', 'two'])))
  await keep()
  const codes = async () => (await recover(ID, '--write')).refused.map(({ code }) => code)
  expect(await codes()).toEqual(['in-home'])
  const now = machineTime().getTime() / 1000
  utimesSync(join(place.home, LOG), now, now)
  expect(await codes()).toEqual(['in-home'])
  // part of it, while the archive has the rest
  rmSync(join(place.home, LOG))
  const part = LOG.replace('T10-00', 'T11-00')
  write(part, inLines(head(), ...rows(['one'])))
  utimesSync(join(place.home, part), now, now)
  expect(await codes()).toEqual(['grew'])
  rmSync(join(place.home, part))
  rmSync(join(place.home, 'tmp/shop/.project_root'))
  expect(await codes()).toEqual(['no-folder'])
  write('tmp/shop/.project_root', join(place.root, 'shop'))
  const chats = join(place.home, 'tmp/shop/chats')
  rmSync(chats, { recursive: true })
  mkdirSync(join(place.root, 'elsewhere'))
  symlinkSync(join(place.root, 'elsewhere'), chats)
  expect(await codes()).toEqual(['link'])
  expect([readdirSync(join(place.root, 'elsewhere')), (await json('list')).sessions.length]).toEqual([[], 1])
})

// All fixture homes were tried once; these two cover both forms.
test('L2: a sub-agent in a form that Gemini CLI does not read is not written', async () => {
  write(LOG, inLines(head(), ...rows(['one', 'two'])))
  write(
    AGENT,
    Buffer.from(inLines(head('abcdef', 'subagent'), ...rows(['task', 'done'], 'abcdef')), 'utf16le'),
  )
  await keep()
  rmSync(join(place.home, 'tmp/shop/chats'), { recursive: true })
  const files = inHome()
  const { refused, written } = await recover(ID, '--write')
  expect([refused, written, inHome()]).toEqual([
    [{ code: 'other-form', message: expect.stringContaining(`Gemini CLI cannot read ${AGENT}: it is`) }],
    null,
    files,
  ])
}, 240_000)

test.each(['0.30.1-interactive', '0.61.0-resumed'])(
  'every main session of a home of %s comes back with equal messages',
  async (version) => {
    cpSync(fixtureHome(version), place.root, { recursive: true })
    for (const path of inHome()) utimesSync(join(place.home, path), 1_700_000_000, 1_700_000_000)
    await keep()
    const talks = (await list()).filter(({ counts }) => (counts?.prompts ?? 0) > 0)
    const before = new Map<string, object[]>()
    for (const { key } of talks) before.set(key, await live(key))
    for (const path of inHome().filter((name) => name.includes('/chats/'))) rmSync(join(place.home, path))
    let recovered = 0
    for (const { key, sameRunKeys } of talks) {
      const { refused } = await recover(key, '--write')
      if (refused.length > 0) expect([refused[0]?.code, sameRunKeys.length > 0]).toEqual(['shared-id', true])
      else {
        recovered += 1
        expect(await live(key)).toEqual(before.get(key))
      }
    }
    expect(recovered).toBeGreaterThan(0)
  },
  240_000,
)
