import { expect, it } from 'vitest'
import { answer, at, info, jsonFile, logFile, prompt, rawFile } from '../../test/make-file.ts'
import type { StitchFile } from './files.ts'
import { stitchGroup } from './stitch.ts'
import { agentIds, linkAgentCalls, linkSubagents, ownFigures } from './subagents.ts'
import { summarizeSession } from './summary.ts'

const project = { key: 'k', name: 'shop', path: null }

function links(files: StitchFile[]) {
  return stitchGroup(files).map((session) => ({
    summary: summarizeSession(session, { project, priceCall: ({ usage }) => usage.total }),
    parentSessionId: session.parentSessionId,
    agentIds: agentIds(session.messages),
  }))
}

const agent = (id: string, parent: string, start: number) =>
  logFile({ sessionId: id, start, kind: 'subagent', path: `shop/chats/${parent}/${id}.jsonl` }, [
    prompt(`${id}p`, start),
    answer(`${id}a`, start),
  ])

it('counts sub-agents and their sub-agents once each, in the order in which they began', () => {
  const main = logFile({ sessionId: 'main', start: 1 }, [prompt('p1', 1), answer('a1', 9)])
  const rows = linkSubagents([
    ...links([main]),
    ...links([agent('late', 'main', 5)]),
    ...links([agent('early', 'main', 3)]),
    ...links([agent('nested', 'early', 4)]),
    ...links([agent('orphan', 'gone', 4)]),
  ])
  const row = (id: string) => rows.find((candidate) => candidate.sessionId === id)
  expect(row('main')?.subagentKeys).toEqual([row('early')?.key, row('late')?.key])
  expect(row('nested')?.parentKey).toBe(row('early')?.key)
  expect(row('orphan')?.parentKey).toBeNull()
  expect(row('main')?.usage?.total).toBe(115)
  expect(row('main')?.withSubagents.usage).toMatchObject({ total: 4 * 115, calls: 4 })
  expect(row('main')?.withSubagents.cost).toEqual({ usd: 4 * 115, unpricedCalls: 0 })
  expect(row('early')?.withSubagents.usage?.total).toBe(2 * 115)
})

it('T3: adds up their tool calls and failures as well, kind by kind', () => {
  const call = (id: string, status: string) => ({ id, name: 'glob', args: {}, status, timestamp: at(4) })
  const calls = (id: string, ...statuses: string[]) => ({
    toolCalls: statuses.map((status, index) => call(`${id}${index}`, status)),
  })
  const main = logFile({ sessionId: 'main', start: 1 }, [
    prompt('p1', 1),
    answer('a1', 9, calls('m', 'success')),
  ])
  const early = logFile(
    { sessionId: 'early', start: 3, kind: 'subagent', path: 'shop/chats/main/early.jsonl' },
    [prompt('ep', 3), answer('ea', 4, calls('e', 'error', 'success'))],
  )
  const nested = logFile(
    { sessionId: 'nested', start: 4, kind: 'subagent', path: 'shop/chats/early/nested.jsonl' },
    [
      prompt('np', 4),
      answer('na', 5, calls('n', 'error', 'error', 'error')),
      { ...info('ne', 6, '[API Error: 429 Too Many Requests]'), type: 'error' },
    ],
  )
  const rows = linkSubagents([main, early, nested].flatMap((file) => links([file])))
  expect(rows.map(({ withSubagents: { toolCalls, failures } }) => [toolCalls, failures])).toEqual([
    [6, { tools: 4, refused: 1, unanswered: 0 }],
    [5, { tools: 4, refused: 1, unanswered: 0 }],
    [3, { tools: 3, refused: 1, unanswered: 0 }],
  ])
})

it('T3: what is not read yet leaves what is known as it is', () => {
  const main = logFile({ sessionId: 'main', start: 1 }, [prompt('p1', 1), answer('a1', 9)])
  const [parent, child] = [...links([main]), ...links([agent('early', 'main', 3)])]
  if (parent === undefined || child === undefined) throw new Error('no rows')
  const unread = { ...child.summary, usage: null, cost: null, recorded: null, failures: null }
  const [row] = linkSubagents([parent, { ...child, summary: unread }])
  expect(row?.withSubagents).toEqual(ownFigures(parent.summary))
})

it('finds the parent by the folder, in which odd characters of its id are replaced', () => {
  const main = logFile({ sessionId: 'my run: 1', start: 1, path: 'shop/chats/session-x-my_run__.jsonl' }, [
    prompt('p1', 1),
    answer('a1', 9),
  ])
  const rows = linkSubagents([...links([main]), ...links([agent('a', 'my_run__1', 3)])])
  expect(rows[1]?.parentKey).toBe(rows[0]?.key)
})

it('gives a nested sub-agent, which lies in the folder of the main session, to the one that called it', () => {
  const call = { id: 'c', name: 'invoke_agent', args: {}, status: 'success', agentId: 'inner' }
  const outer = logFile(
    { sessionId: 'outer', start: 3, kind: 'subagent', path: 'shop/chats/main/outer.jsonl' },
    [prompt('op', 3), answer('oa', 6, { toolCalls: [call] })],
  )
  const main = logFile({ sessionId: 'main', start: 1 }, [prompt('p1', 1), answer('a1', 9)])
  const rows = linkSubagents([...links([main]), ...links([outer]), ...links([agent('inner', 'main', 4)])])
  const row = (id: string) => rows.find((candidate) => candidate.sessionId === id)
  expect(row('inner')?.parentKey).toBe(row('outer')?.key)
  expect(row('outer')?.parentKey).toBe(row('main')?.key)
  expect(row('main')).toMatchObject({ withSubagents: { usage: { total: 3 * 115 } } })
  expect(row('main')?.subagentKeys).toEqual([row('outer')?.key])
})

it('never makes a cut copy of the parent the parent', () => {
  const main = jsonFile({ sessionId: 'main', start: 1 }, [prompt('p1', 1), answer('a1', 9)])
  const text = '{\n  "sessionId": "main",\n  "startTime": "2026-11-21T20:02:00.000Z",\n  "mess'
  const cut = rawFile({ sessionId: 'main', start: 2 }, 'json', text)
  const rows = linkSubagents([...links([main, cut]), ...links([agent('a', 'main', 3)])])
  const child = rows.find((row) => row.kind === 'subagent')
  expect(rows.find((row) => row.key === child?.parentKey)?.counts?.messages).toBe(2)
})

it('gives a flat sub-agent to the conversation of its run that was going on', () => {
  const rows = linkSubagents(
    links([
      jsonFile({ start: 1 }, [prompt('p1', 1), answer('a1', 5)]),
      jsonFile({ start: 10 }, [prompt('p2', 10), answer('a2', 15)]),
      jsonFile({ start: 12, kind: 'subagent' }, [prompt('s1', 12), answer('s2', 13)]),
    ]),
  )
  const subagent = rows.find((row) => row.kind === 'subagent')
  const parent = rows.find((row) => row.key === subagent?.parentKey)
  expect(parent?.startTime).toBe(at(10))
})

it('of two conversations of a run that were going on, the one begun last has the sub-agent', () => {
  const rows = linkSubagents(
    links([
      jsonFile({ start: 1 }, [prompt('p1', 1), answer('a1', 20)]),
      jsonFile({ start: 10 }, [prompt('p2', 10), answer('a2', 21)]),
      jsonFile({ start: 12, kind: 'subagent' }, [prompt('s1', 12), answer('s2', 13)]),
    ]),
  )
  const subagent = rows.find((row) => row.kind === 'subagent')
  expect(rows.find((row) => row.key === subagent?.parentKey)?.startTime).toBe(at(10))
})

it('survives sub-agents that name each other as parents', () => {
  const rows = linkSubagents([...links([agent('a', 'b', 1)]), ...links([agent('b', 'a', 2)])])
  expect(rows.filter((row) => row.parentKey !== null)).toHaveLength(1)
})

it('links the call that started a sub-agent by its id, or by time where none is recorded', () => {
  const call = (id: string, minutes: number, agentId?: string) => ({
    id,
    name: 'codebase_investigator',
    args: {},
    status: 'success',
    timestamp: at(minutes),
    ...(agentId ? { agentId } : {}),
  })
  const main = logFile({ start: 1 }, [
    prompt('p1', 1),
    answer('a1', 2, { toolCalls: [call('c1', 3), call('c2', 6), call('c3', 9, 'known')] }),
  ])
  const messages = stitchGroup([main])[0]?.messages ?? []
  const linked = linkAgentCalls(messages, [
    { key: 'K', sessionId: 'known', startTime: at(1), endTime: at(1) },
    { key: 'T', sessionId: 'timed', startTime: at(4), endTime: at(5) },
  ])
  expect(linked[1]?.toolCalls.map((each) => [each.id, each.agentKey])).toEqual([
    ['c1', null],
    ['c2', 'T'],
    ['c3', 'K'],
  ])
})

it('T9: a session that started a sub-agent is not empty, though nothing of it is recorded', () => {
  const rows = linkSubagents([
    ...links([logFile({ sessionId: 'main', start: 1 }, [])]),
    ...links([logFile({ sessionId: 'other', start: 1 }, [])]),
    ...links([agent('child', 'main', 3)]),
  ])
  const emptyOf = (id: string) => rows.find(({ sessionId }) => sessionId === id)?.empty
  expect([emptyOf('main'), emptyOf('other'), emptyOf('child')]).toEqual([false, true, false])
})
