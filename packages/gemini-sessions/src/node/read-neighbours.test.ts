import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Neighbours, neighboursSchema } from '../model/message.ts'
import { listNeighbours, readNeighbours } from './neighbours.ts'
import { findHomes, scanHomes } from './scan/find-homes.ts'
import { readSessionGroup } from './session-file.ts'

const ID = '3e3ec711-6ede-4f92-b504-17853a236a5d'
const PROJECT = '.gemini/tmp/webshop'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'neighbours-'))
  write('chats/session-2026-11-21T20-30-3e3ec711.jsonl', sessionText())
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(place: string, text: string | Uint8Array): string {
  const path = join(root, PROJECT, place)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

function sessionText(): string {
  const time = '2026-11-21T20:30:00.000Z'
  const call = { id: 'read_file__read_file_1_0', name: 'read_file', args: {}, status: 'success', result: [] }
  const rows = [
    { sessionId: ID, projectHash: '0'.repeat(64), startTime: time, lastUpdated: time },
    { id: 'u1', timestamp: time, type: 'user', content: [{ text: '@x/images/clipboard-1.png why?' }] },
    { id: 'g1', timestamp: time, type: 'gemini', content: 'So.', toolCalls: [call] },
  ]
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('')
}

async function found() {
  const scan = await scanHomes(findHomes({ homeArguments: [root], env: {}, userHome: '/nobody' }))
  const sessions = await readSessionGroup(scan.files)
  const [session] = sessions
  if (session === undefined) throw new Error('no session')
  return { places: scan.projects, session, sessions }
}

async function neighbours(): Promise<Neighbours> {
  const { places, session, sessions } = await found()
  return neighboursSchema.parse(readNeighbours(places, session, sessions))
}

const task = (id: string, more: object = {}) =>
  JSON.stringify({
    id,
    title: `Task ${id}`,
    description: 'd',
    type: 'task',
    status: 'open',
    dependencies: [],
    ...more,
  })
const restorePoint = (messageId: string | undefined, callId: string) =>
  JSON.stringify({
    history: [{ type: 'tool_group', tools: [{ callId, name: 'Edit' }] }],
    clientHistory: ['x'.repeat(100_000)],
    toolCall: { name: 'replace', args: { old_string: '"messageId": "quoted########1"' } },
    commitHash: 'c0ffee',
    messageId,
  })

describe('what lies beside a session', () => {
  it('is nothing for a session that stands alone', async () => {
    const { images, ...rest } = await neighbours()
    expect(images).toEqual([{ name: 'clipboard-1.png', messageKey: 'u1', file: null }])
    expect(Object.values(rest)).toEqual([[], [], [], [], [], [], 0])
  })

  it('is read by kind: plans, tasks, outputs, pictures, restore points, and what is none of these', async () => {
    write(`${ID}/plans/search.md`, '# Plan')
    write(`${ID}/tracker/e73ab5.json`, task('e73ab5', { parentId: 'aaaaaa', dependencies: ['bbbbbb', 7] }))
    write(`${ID}/tracker/cut.json`, '{"id":"cu')
    write(`${ID}/tasks/1.log`, 'log')
    write(`tool-outputs/session-${ID}/read_file_read_file__read_file_1_0_xyz.txt`, '{"output":"all"}')
    write(`tool-outputs/session-${ID}________0/web_fetch_unknown.txt`, 'page')
    write('tool-outputs/session-another/read_file_9.txt', 'not ours')
    write('images/clipboard-1.png', 'png')
    write('images/clipboard-2.png', 'of another session')
    write('checkpoints/2026-11-21T20-37-53_520Z-price.js-replace.json', restorePoint(`${ID}########0`, 'x'))
    const all = await neighbours()
    expect(all.plans).toMatchObject([{ scope: 'session', text: '# Plan', isCut: false }])
    expect(all.tasks).toMatchObject([
      { scope: 'session', id: 'e73ab5', title: 'Task e73ab5', parentId: 'aaaaaa', dependencies: ['bbbbbb'] },
    ])
    expect(all.savedOutputs.map(({ name, callId }) => [name, callId])).toEqual([
      ['read_file_read_file__read_file_1_0_xyz.txt', 'read_file__read_file_1_0'],
      ['web_fetch_unknown.txt', null],
    ])
    expect(all.images).toMatchObject([{ name: 'clipboard-1.png', file: { sizeBytes: 3 } }])
    expect(all.restorePoints).toMatchObject([
      {
        scope: 'session',
        time: '2026-11-21T20:37:53.520Z',
        toolName: 'replace',
        targetName: 'price.js',
        commit: 'c0ffee',
      },
    ])
    expect(all.otherFiles.map(({ path }) => path)).toEqual([
      `tmp/webshop/${ID}/tracker/cut.json`,
      `tmp/webshop/${ID}/tasks/1.log`,
    ])
  })

  it('of older versions lies in the project’s folder, and is said to be the project’s', async () => {
    write('plans/old.md', 'old plan')
    write('tracker/abcdef.json', task('abcdef'))
    const { plans, tasks } = await neighbours()
    expect([plans[0]?.scope, tasks[0]?.scope]).toEqual(['project', 'project'])
  })

  it.each([
    ['of this session by its calls', undefined, 'read_file__read_file_1_0', ['session']],
    ['of another session by its calls', undefined, 'other-call', []],
    ['of another session by its prompt', 'other########3', 'read_file__read_file_1_0', []],
  ])('a restore point is told to be %s', async (_, messageId, callId, scopes) => {
    write('checkpoints/2025-08-01T10-00-00_000Z-a.js-write_file.json', restorePoint(messageId, callId))
    expect((await neighbours()).restorePoints.map(({ scope }) => scope)).toEqual(scopes)
  })

  it('a restore point that names nobody is the project’s', async () => {
    write('checkpoints/odd.json', '{}')
    expect((await neighbours()).restorePoints).toMatchObject([
      { scope: 'project', time: null, toolName: null },
    ])
  })

  it('a long plan is cut between two characters, and says so', async () => {
    write(`${ID}/plans/long.md`, `x${'é'.repeat(40_000)}`)
    const [plan] = (await neighbours()).plans
    expect(plan?.isCut).toBe(true)
    expect(plan?.text.endsWith('é')).toBe(true)
    expect(plan?.file.sizeBytes).toBe(80_001)
  })

  it('more files than anyone reads are counted, not read', async () => {
    for (let n = 0; n < 203; n++) write(`${ID}/plans/${n}.md`, 'p')
    const { plans, leftOut } = await neighbours()
    expect([plans.length, leftOut]).toEqual([200, 3])
  })

  it('is never a link, a pipe or what lies behind one', async () => {
    const secret = join(root, 'secret.md')
    writeFileSync(secret, 'not yours')
    mkdirSync(join(root, 'elsewhere/plans'), { recursive: true })
    writeFileSync(join(root, 'elsewhere/plans/secret.md'), 'not yours')
    write('images/clipboard-9.png', 'x')
    mkdirSync(join(root, PROJECT, 'plans'))
    symlinkSync(secret, join(root, PROJECT, 'plans/link.md'))
    symlinkSync(join(root, 'elsewhere'), join(root, PROJECT, ID))
    execFileSync('mkfifo', [join(root, PROJECT, 'plans/pipe.md')])
    mkdirSync(join(root, PROJECT, 'plans/folder.md'))
    expect((await neighbours()).plans).toEqual([])
  })

  it('ids lead to the files of its own list alone', async () => {
    write('images/clipboard-1.png', 'ours')
    write('images/clipboard-2.png', 'of another session')
    write('tool-outputs/read_file_7.txt', 'of another session')
    const { places, session } = await found()
    expect([...listNeighbours(places, session).byId.values()].map(({ place }) => place)).toEqual([
      'images/clipboard-1.png',
    ])
  })

  it.each(['chats', 'tool-outputs', '..', 'Images'])(
    'a session called %s has no folder of its own',
    async (sessionId) => {
      rmSync(join(root, PROJECT, 'chats'), { recursive: true })
      write('chats/session-2026-11-21T20-30-x.jsonl', sessionText().replaceAll(ID, sessionId))
      write('images/tasks/a.txt', 'x')
      const { otherFiles } = await neighbours()
      expect(otherFiles).toEqual([])
    },
  )
})
