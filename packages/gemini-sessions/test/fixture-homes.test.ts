import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { linkAgentCalls, messageSchema, type SessionSummary, sessionSummarySchema } from '../src/index.ts'
import { readHome } from './read-home.ts'

const homes = fileURLToPath(new URL('../../../fixtures/homes', import.meta.url))

/** Tokens are counted independently: the last `total` of each message id in the raw files. */
const EXPECTED = [
  { home: '0.4.1', rows: 8, prompts: 8, toolCalls: 0, toolErrors: 0, superseded: 0, tokens: 19823, calls: 8 },
  {
    home: '0.11.3',
    rows: 8,
    prompts: 8,
    toolCalls: 24,
    toolErrors: 6,
    superseded: 0,
    tokens: 30325,
    calls: 13,
  },
  {
    home: '0.20.2-compress',
    rows: 2,
    prompts: 7,
    toolCalls: 0,
    toolErrors: 0,
    superseded: 0,
    tokens: 9683,
    calls: 4,
  },
  {
    home: '0.25.0',
    rows: 8,
    prompts: 8,
    toolCalls: 23,
    toolErrors: 7,
    superseded: 0,
    tokens: 30538,
    calls: 13,
  },
  {
    home: '0.30.1-interactive',
    rows: 5,
    prompts: 11,
    toolCalls: 9,
    toolErrors: 1,
    superseded: 0,
    tokens: 26036,
    calls: 10,
  },
  {
    home: '0.38.2',
    rows: 10,
    prompts: 10,
    toolCalls: 27,
    toolErrors: 6,
    superseded: 0,
    tokens: 78547,
    calls: 30,
  },
  {
    home: '0.39.1',
    rows: 10,
    prompts: 10,
    toolCalls: 27,
    toolErrors: 6,
    superseded: 0,
    tokens: 78578,
    calls: 30,
  },
  {
    home: '0.45.2',
    rows: 10,
    prompts: 10,
    toolCalls: 27,
    toolErrors: 6,
    superseded: 0,
    tokens: 59755,
    calls: 23,
  },
  {
    home: '0.61.0',
    rows: 10,
    prompts: 10,
    toolCalls: 27,
    toolErrors: 6,
    superseded: 1,
    tokens: 59959,
    calls: 23,
  },
  {
    home: '0.61.0-interactive',
    rows: 5,
    prompts: 8,
    toolCalls: 7,
    toolErrors: 1,
    superseded: 28,
    tokens: 34665,
    calls: 14,
  },
  {
    home: '0.61.0-pty',
    rows: 2,
    prompts: 2,
    toolCalls: 24,
    toolErrors: 6,
    superseded: 0,
    tokens: 44440,
    calls: 14,
  },
  {
    home: '0.61.0-resumed',
    rows: 1,
    prompts: 2,
    toolCalls: 12,
    toolErrors: 3,
    superseded: 0,
    tokens: 26730,
    calls: 8,
  },
]

describe.each(EXPECTED)('the home of $home', ({ home, ...expected }) => {
  it('has these sessions, with these numbers', async () => {
    const { summaries, scan } = await readHome(`${homes}/${home}`)
    const sum = (read: (row: SessionSummary) => number | undefined) =>
      summaries.reduce((total, row) => total + (read(row) ?? 0), 0)
    expect({
      rows: summaries.length,
      prompts: sum((row) => row.counts?.prompts),
      toolCalls: sum((row) => row.counts?.toolCalls),
      toolErrors: sum((row) => row.counts?.toolErrors),
      superseded: sum((row) => row.counts?.superseded),
      tokens: sum((row) => row.usage?.total),
      calls: sum((row) => row.usage?.calls),
    }).toEqual(expected)
    expect(scan.skipped).toEqual([])
    expect(sum((row) => row.issues)).toBe(0)
  })

  it('fits the model, with keys that are unique in their session', async () => {
    const { sessions, summaries, scan } = await readHome(`${homes}/${home}`)
    for (const row of summaries) sessionSummarySchema.parse(row)
    for (const { messages } of sessions) {
      for (const message of messages) messageSchema.parse(message)
      expect(new Set(messages.map((message) => message.key)).size).toBe(messages.length)
    }
    const paths = summaries.filter((row) => row.kind !== 'checkpoint').flatMap((row) => row.files)
    expect(paths.map((file) => file.path).sort()).toEqual(scan.files.map((file) => file.path).sort())
  })
})

describe('sessions that take more than one file', () => {
  it('0.20.2: /compress went on in a second file', async () => {
    const { sessions } = await readHome(`${homes}/0.20.2-compress`)
    const session = sessions.find(({ kind }) => kind === 'main')
    expect(session?.segments.map(({ reason, messages }) => [reason, messages])).toEqual([
      ['start', 9],
      ['compress', 6],
    ])
    expect(session?.files.map((file) => file.role)).toEqual(['current', 'segment'])
  })

  it('0.30.1: /clear began another conversation of the same run', async () => {
    const { summaries } = await readHome(`${homes}/0.30.1-interactive`)
    const run = summaries.filter((row) => row.sessionId.startsWith('df894ac7'))
    expect(run.map((row) => [row.title, row.ended, row.sameRunKeys])).toEqual([
      ['Say one', 'error', [run[1]?.key]],
      ['Say three', null, [run[0]?.key]],
    ])
  })

  it('0.61.0: a resume left a stub', async () => {
    const { summaries } = await readHome(`${homes}/0.61.0-resumed`)
    const before = await readHome(`${homes}/0.61.0`)
    expect(summaries[0]?.files.map((file) => file.role)).toEqual(['current', 'stub'])
    expect(before.summaries.map((row) => row.key)).toContain(summaries[0]?.key)
  })

  it.each(['0.38.2', '0.39.1', '0.45.2', '0.61.0'])('%s: sub-agents are below their parent', async (home) => {
    const { summaries } = await readHome(`${homes}/${home}`)
    const agent = summaries.find((row) => row.kind === 'subagent')
    const parent = summaries.find((row) => row.key === agent?.parentKey)
    expect(agent).toMatchObject({ title: 'SUB-TASK: list what src holds', titleSource: 'prompt' })
    expect(parent).toMatchObject({ title: 'Map the whole codebase', subagentKeys: [agent?.key] })
    expect(parent?.withSubagents.usage?.total).toBe((parent?.usage?.total ?? 0) + (agent?.usage?.total ?? 0))
  })
})

it.each(['0.38.2', '0.39.1', '0.45.2', '0.61.0'])(
  '%s: the call that started a sub-agent leads to it',
  async (home) => {
    const { sessions, summaries } = await readHome(`${homes}/${home}`)
    const agent = summaries.find((row) => row.kind === 'subagent')
    const parent = sessions.find((session) => session.key === agent?.parentKey)
    const calls = linkAgentCalls(parent?.messages ?? [], agent ? [agent] : []).flatMap((m) => m.toolCalls)
    expect(calls.map((call) => call.agentKey)).toEqual([agent?.key])
  },
)

describe('projects', () => {
  it('are one over homes, known by the same key', async () => {
    const all = await readHome(...EXPECTED.map(({ home }) => `${homes}/${home}`))
    const shop = all.projects.find((project) => project.name === 'webshop')
    expect(all.projects.map((project) => project.name)).toEqual(['bookshelf', 'bookshop', 'webshop'])
    expect(shop).toMatchObject({ path: '/tmp/demo/webshop', pathSource: 'marker' })
    expect(shop?.folders).toHaveLength(8)
    const [alone] = (await readHome(`${homes}/0.4.1`)).projects
    expect(alone).toMatchObject({ key: shop?.key, path: '/tmp/demo/webshop', pathSource: 'content' })
  })

  it('of hash folders have the path that their sessions name and the hash proves', async () => {
    const { projects } = await readHome(`${homes}/0.11.3`)
    expect(projects[0]).toMatchObject({ path: '/tmp/demo/webshop', pathSource: 'content' })
  })

  it('have the chats that their user saved', async () => {
    const { sessions, summaries } = await readHome(`${homes}/0.61.0-interactive`)
    const row = summaries.find(({ kind }) => kind === 'checkpoint')
    expect(row).toMatchObject({ title: 'my tag/1', titleSource: 'user', firstPrompt: 'Say one' })
    expect(row?.usage?.calls).toBe(0)
    const chat = sessions.find(({ kind }) => kind === 'checkpoint')
    expect(chat?.messages.map(({ type, origin }) => [type, origin])).toEqual([
      ['user', 'human'],
      ['gemini', 'model'],
      ['user', 'human'],
    ])
  })
})
