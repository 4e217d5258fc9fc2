import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Session ids of the home, by what they are there for. */
export const FAMILY = {
  /** Two sub-agents, of which one started a third; all of them over midnight of UTC. */
  night: 'fa000000-0000-4000-8000-000000000001',
  /** It failed at nothing itself. */
  planner: 'fa000000-0000-4000-8000-000000000002',
  nested: 'fa000000-0000-4000-8000-000000000003',
  reviewer: 'fa000000-0000-4000-8000-000000000004',
  /** Its sub-agent went on for hours after its own last message. */
  outlived: 'fa000000-0000-4000-8000-000000000005',
  late: 'fa000000-0000-4000-8000-000000000006',
  /** Nothing but a request that the API refused. */
  refused: 'fa000000-0000-4000-8000-000000000007',
  /** Sub-agents without the file of who started them, one started by the other, in a project of their own. */
  orphan: 'fa000000-0000-4000-8000-000000000008',
  orphanNested: 'fa000000-0000-4000-8000-000000000009',
  /** Of `night` by its folder, but in another project. */
  strayed: 'fa000000-0000-4000-8000-00000000000a',
  plain: 'fa000000-0000-4000-8000-00000000000b',
} as const
const GONE = 'fa000000-0000-4000-8000-0000000000ff'

interface Step {
  at: string
  model?: string
  input?: number
  /** Names of the tools that were called; a `!` in front: it failed. */
  tools?: string[]
  /** Sub-agents that were started. */
  agents?: string[]
  /** Not an answer, but what the API said. */
  refused?: boolean
}

/** Sessions with sub-agents below sub-agents, without parents, in several projects, over midnight of several zones. */
export function writeFamilyHome(home: string): void {
  const main = (project: string, id: string, steps: Step[]) =>
    write(
      home,
      `${project}/chats/session-${steps[0]?.at.slice(0, 16).replace(':', '-')}-${id.slice(-8)}.jsonl`,
      { id, kind: 'main', steps },
    )
  const agent = (project: string, parent: string, id: string, steps: Step[]) =>
    write(home, `${project}/chats/${parent}/${id}.jsonl`, { id, kind: 'subagent', steps })
  main('shop', FAMILY.night, [
    { at: '2026-11-20T22:30:00.000Z', tools: ['glob', '!run_shell_command'] },
    { at: '2026-11-20T23:40:00.000Z', agents: [FAMILY.planner, FAMILY.reviewer] },
    { at: '2026-11-21T01:30:00.000Z', input: 2_000, tools: ['read_file'] },
  ])
  agent('shop', FAMILY.night, FAMILY.planner, [
    { at: '2026-11-20T23:41:00.000Z', model: 'gemini-2.5-flash', agents: [FAMILY.nested] },
    { at: '2026-11-21T00:40:00.000Z', model: 'gemini-2.5-flash', tools: ['glob'] },
  ])
  agent('shop', FAMILY.night, FAMILY.nested, [
    { at: '2026-11-20T23:50:00.000Z', tools: ['!read_file', '!read_file'] },
    { at: '2026-11-21T00:20:00.000Z', model: 'gemini-9-unheard-of', tools: ['write_file'] },
  ])
  agent('shop', FAMILY.night, FAMILY.reviewer, [{ at: '2026-11-21T00:10:00.000Z', tools: ['glob'] }])
  main('shop', FAMILY.outlived, [{ at: '2026-11-21T18:20:00.000Z', agents: [FAMILY.late] }])
  agent('shop', FAMILY.outlived, FAMILY.late, [
    { at: '2026-11-21T18:25:00.000Z', tools: ['glob'] },
    { at: '2026-11-22T03:10:00.000Z', tools: ['!run_shell_command'] },
  ])
  main('shop', FAMILY.refused, [{ at: '2026-11-22T09:00:00.000Z', refused: true }])
  agent('lonely', GONE, FAMILY.orphan, [
    { at: '2026-11-22T23:55:00.000Z', agents: [FAMILY.orphanNested] },
    { at: '2026-11-23T00:30:00.000Z', tools: ['!glob'] },
  ])
  agent('lonely', GONE, FAMILY.orphanNested, [{ at: '2026-11-23T00:05:00.000Z', tools: ['glob', 'glob'] }])
  agent('other', FAMILY.night, FAMILY.strayed, [{ at: '2026-11-20T23:45:00.000Z', tools: ['!glob'] }])
  main('other', FAMILY.plain, [{ at: '2026-11-19T12:00:00.000Z', tools: ['glob', 'read_file'] }])
}

function write(home: string, path: string, session: { id: string; kind: string; steps: Step[] }): void {
  const file = join(home, '.gemini', 'tmp', path)
  mkdirSync(dirname(file), { recursive: true })
  const { id, kind, steps } = session
  const projectHash = createHash('sha256')
    .update(path.split('/')[0] ?? '')
    .digest('hex')
  const [first, last] = [steps[0]?.at, steps.at(-1)?.at]
  const records = [
    { sessionId: id, projectHash, startTime: first, lastUpdated: last, kind },
    { id: `${id}-p`, timestamp: first, type: 'user', content: [{ text: `Do what ${id.slice(-2)} does` }] },
    ...steps.map((step, index) => recordOf(`${id}-${index}`, step)),
  ]
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
}

function recordOf(
  id: string,
  { at, model = 'gemini-2.5-pro', input = 1_000, tools = [], agents = [], refused }: Step,
) {
  if (refused === true)
    return { id, timestamp: at, type: 'error', content: '[API Error: 429 Too Many Requests]' }
  const tokens = { input, output: 100, cached: 400, thoughts: 50, tool: 0, total: input + 150 }
  const call = (name: string, index: number, more: object = {}) => ({
    id: `${id}-call-${index}`,
    name: name.replace('!', ''),
    args: {},
    status: name.startsWith('!') ? 'error' : 'success',
    timestamp: at,
    result: [{ functionResponse: { id: 'call', name: 'tool', response: { output: 'done' } } }],
    ...more,
  })
  const toolCalls = [
    ...tools.map((name, index) => call(name, index)),
    ...agents.map((agentId, index) => call('invoke_agent', tools.length + index, { agentId })),
  ]
  return { id, timestamp: at, type: 'gemini', content: `Did ${id}.`, model, tokens, toolCalls }
}
