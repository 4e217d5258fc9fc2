import { foldTextOnly } from '@gemini-dash/api/fold-text'
import type { IndexSearchRequest } from '@gemini-dash/session-index'
import type { Message, Part, Session, ToolCall } from 'gemini-sessions'
import { readSessionGroup } from 'gemini-sessions/node'
import { expect, test } from 'vitest'
import { makeMessage, makeToolCall } from '../../../fixtures/message.ts'
import { type SeededRandom, seededRandom } from '../../../fixtures/seeded-random.ts'
import { tokenize } from '../../../packages/session-index/src/text.ts'
import { FIXTURE_HOMES, fixtureGroups } from '../../../packages/session-index/test/fixture-groups.ts'
import { makeSession } from '../../../packages/session-index/test/make-session.ts'
import { makeGroup, makeShard } from '../../../packages/session-index/test/make-shard.ts'
import { searchRequest } from '../../../packages/session-index/test/search-request.ts'
import { resultText } from '../src/export/choose-messages.ts'

/** Per kind of home; each is searched for in all three modes. */
const DRAWS = 40

const VOICE = [
  'Größe',
  'U\u0308bersicht',
  '데이터'.normalize('NFD'),
  '缓存失效',
  '検索',
  'naïve',
  '🚀',
  'ﬁle',
]
const NAMES = [
  'price',
  'getUser',
  'legacy_discount',
  'src/cart.ts',
  'a-b',
  'v1.2.3',
  'x(y)',
  '$HOME',
  '10:42',
]

/** A message with long and short texts in every place that is shown. */
function anyMessage(random: SeededRandom, key: string): Message {
  const word = () => (random.next() < 0.2 ? random.pick(VOICE) : `${random.pick(NAMES)}${random.hex(4)}`)
  const line = () => Array.from({ length: random.integer(1, 9) }, word).join(random.pick([' ', ', ', '  ']))
  const text = (lines: number) => Array.from({ length: lines }, line).join('\n')
  const lines = random.pick([1, 3, 40, 900])
  const before = Array.from({ length: 9 }, line)
  const after = before.with(random.integer(0, 8), line())
  const diff: ToolCall['display'] = {
    kind: 'diff',
    fileName: 'price.ts',
    filePath: null,
    fileDiff: ['--- price.ts', '+++ price.ts', '@@ -1,9 +1,9 @@', ...diffOf(before, after)].join('\n'),
    ...{ originalContent: before.join('\n'), newContent: after.join('\n') },
    ...{ linesAdded: 1, linesRemoved: 1, isNewFile: false, isRebuilt: false },
  }
  const call = makeToolCall({
    args: { file_path: word(), edits: [{ to: text(2), at: random.integer(100, 99_999) }] },
    description: line(),
    output: { kind: 'text', text: text(lines) },
    display: random.pick([null, diff]),
    extraParts: [{ kind: 'unknown', json: { [word()]: [text(1), 4711] } }],
  })
  return makeMessage({
    key,
    type: random.pick(['user', 'gemini', 'error']),
    timestamp: '2026-03-01T10:00:00.000Z',
    content: [{ kind: 'text', text: text(random.pick([1, 500])) }],
    attachments: [{ path: word(), text: text(lines) }],
    thoughts: [{ subject: line(), description: text(2), timestamp: null }],
    toolCalls: [call],
  })
}

function diffOf(before: string[], after: string[]): string[] {
  return before.flatMap((old, at) => (old === after[at] ? [` ${old}`] : [`-${old}`, `+${after[at]}`]))
}

/** Everything that `show --depth all` prints of a message, except its own labels; JSON by its values. */
function shownTexts({ thoughts, content, attachments, toolCalls }: Message): string[] {
  return [
    ...thoughts.flatMap(({ subject, description }) => [subject, description]),
    ...content.flatMap(partTexts),
    ...attachments.flatMap(({ path, text }) => [path, text]),
    ...toolCalls.flatMap((call) => [
      call.description ?? '',
      ...saidIn(call.args, false),
      ...resultTexts(call),
      ...call.extraParts.flatMap(partTexts),
    ]),
  ]
}

function partTexts(part: Part): string[] {
  if (part.kind === 'text') return [part.text]
  if (part.kind === 'code') return [part.code, part.output ?? '']
  return part.kind === 'unknown' ? saidIn(part.json, true) : []
}

function resultTexts(call: ToolCall): string[] {
  const { output, display } = call
  if (display?.kind === 'diff') {
    const lines = resultText(call).split('\n')
    const isWhole = display.fileDiff === ''
    const body = isWhole ? lines : lines.slice(lines.findIndex((line) => line.startsWith('@@')) + 1)
    return body.map((line) => (isWhole ? line : /^@@|^\\/.test(line) ? '' : line.slice(1)))
  }
  if (output.kind === 'unknown') return saidIn(output.json, true)
  return output.kind === 'todos' ? output.todos.map(({ description }) => description) : [resultText(call)]
}

function saidIn(json: unknown, withKeys: boolean): string[] {
  if (typeof json === 'string') return [json]
  if (typeof json === 'number') return [String(json)]
  if (typeof json !== 'object' || json === null) return []
  const keys = withKeys && !Array.isArray(json) ? Object.keys(json) : []
  return [...keys, ...Object.values(json).flatMap((value) => saidIn(value, withKeys))]
}

interface Place {
  sessionKey: string
  place: number
  texts: string[]
}

const placesOf = (sessions: Session[]): Place[] =>
  sessions.flatMap(({ key: sessionKey, messages }) =>
    messages.flatMap((message, place) => {
      const texts = message.copyOf === null ? shownTexts(message).filter((text) => TOKEN.test(text)) : []
      return texts.length === 0 ? [] : [{ sessionKey, place, texts }]
    }),
  )

const TOKEN = /(?<!\S)\S{3,40}(?!\S)/u

/** A token from one of the messages. */
function draw(random: SeededRandom, places: Place[]): Place & { token: string } {
  for (;;) {
    const place = random.pick(places)
    const tokens = random.pick(place.texts).match(new RegExp(TOKEN, 'gu')) ?? []
    const token = tokens[random.integer(0, Math.max(tokens.length - 1, 0))] ?? ''
    if (tokenize(foldTextOnly(token)).length > 0 && !token.includes(';base64,')) return { ...place, token }
  }
}

async function expectFound(shard: ReturnType<typeof makeShard>, places: Place[], seed: number) {
  const random = seededRandom(seed)
  const missed: string[] = []
  for (let count = 0; count < DRAWS; count++) {
    const { token, sessionKey, place } = draw(random, places)
    const words = tokenize(foldTextOnly(token)).map(({ text }) => text)
    const scan: Partial<IndexSearchRequest> = { tree: { kind: 'sessions', keys: [sessionKey] } }
    const pattern = token.replace(/[!-/:-@[-`{-~]/g, '\\$&')
    const requests = {
      words: searchRequest('', { tree: { kind: 'text', words, isPrefix: false } }),
      substring: searchRequest('', { ...scan, mode: 'substring', pattern: token }),
      regex: searchRequest('', { ...scan, mode: 'regex', pattern }),
    }
    for (const [mode, request] of Object.entries(requests)) {
      const { best } = await shard.find({ ...request, limit: 100_000 })
      if (!best.some((hit) => hit.sessionKey === sessionKey && hit.place === place))
        missed.push(`${mode}: ${token} of message ${place} of ${sessionKey}`)
    }
  }
  expect(missed).toEqual([])
}

test('N1, N2: any token that show prints of a real session is found in its message, in every mode', async () => {
  const shard = makeShard(new Map(), { readGroup: ({ files }) => readSessionGroup(files) })
  const places: Place[] = []
  for (const group of await fixtureGroups(FIXTURE_HOMES)) {
    await shard.index(group)
    places.push(...placesOf(await readSessionGroup(group.files)))
  }
  await expectFound(shard, places, 52)
})

test('N1, N2: the same of generated sessions with long texts, diffs and many scripts', async () => {
  const random = seededRandom(10)
  const sessions = Array.from({ length: 4 }, (_, number) =>
    makeSession(
      `s${number}`,
      Array.from({ length: 5 }, (_, place) => anyMessage(random, `m${place}`)),
    ),
  )
  const shard = makeShard(new Map(sessions.map((session) => [session.key, [session]])))
  for (const { key } of sessions) await shard.index(makeGroup(key))
  await expectFound(shard, placesOf(sessions), 53)
})
