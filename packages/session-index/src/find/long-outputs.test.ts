import { expect, it } from 'vitest'
import { makeMessage, makeSession, makeToolCall, text } from '../../test/make-session.ts'
import { makeGroup, makeShard } from '../../test/make-shard.ts'
import { searchRequest } from '../../test/search-request.ts'

const LINES = Array.from({ length: 800 }, (_, line) => `request ${line} served by worker ${line % 7}`)
const LOG = LINES.with(400, 'FATAL constraint violation on table pelagornis_owner').join('\n')

const withOutput = (log: string) =>
  makeMessage({
    key: 'answer',
    type: 'gemini',
    content: text('I read the log.'),
    toolCalls: [makeToolCall({ name: 'run_shell_command', output: { kind: 'text', text: log } })],
  })

async function logged() {
  const messages = [
    withOutput(LOG),
    makeMessage({ key: 'file', attachments: [{ path: 'all.log', text: LOG }] }),
    makeMessage({ key: 'short', content: text('a violation of the constraint, table 7') }),
  ]
  const shard = makeShard(new Map([['g', [makeSession('s', messages)]]]))
  await shard.index(makeGroup('g'))
  const request = (query: string) => searchRequest(query)
  const places = async (query: string) => {
    const { best } = await shard.find(request(query))
    return best.map(({ place, field }) => `${place} ${field}`).sort()
  }
  const snippets = async (query: string) => {
    const { best } = await shard.find(request(query))
    return (await shard.describe(request(query), best)).map(({ snippet }) => snippet)
  }
  return { shard, places, snippets }
}

const BOTH = ['0 tool-output', '1 attachment']

it('N1: finds a word in the middle of a long output, and shows it', async () => {
  const { places, snippets } = await logged()
  expect(await places('fatal')).toEqual(BOTH)
  expect(await places('pelag*')).toEqual(BOTH)
  expect(await snippets('fatal')).toEqual([
    expect.stringContaining('FATAL constraint'),
    expect.stringContaining('FATAL constraint'),
  ])
})

it('N1: a phrase is where its words follow each other, not where all of them are', async () => {
  const { places } = await logged()
  expect(await places('pelagornis_owner')).toEqual(BOTH)
  expect(await places('"constraint violation on"')).toEqual(BOTH)
  expect(await places('"table pelag"*')).toEqual(BOTH)
  expect(await places('"violation constraint"')).toEqual([])
  expect(await places('"table 7"')).toEqual(['2 prompt'])
  expect(await places('worker -"fatal constraint"')).toEqual([])
  expect(await places('worker -"constraint fatal"')).toEqual(BOTH)
})

it('N1: a long output that changes in its middle is found by what it says now', async () => {
  const sessions = new Map([['g', [makeSession('s', [withOutput(LOG)])]]])
  const shard = makeShard(sessions)
  await shard.index(makeGroup('g'))
  const changed = withOutput(LOG.replace('pelagornis', 'argentavis'))
  sessions.set('g', [makeSession('s', [changed])])
  await shard.index(makeGroup('g', '2'))
  const total = async (query: string) => (await shard.find(searchRequest(query))).total
  expect([await total('pelagornis'), await total('argentavis'), await total('argentavis_owner')]).toEqual([
    0, 1, 1,
  ])
})
