import { fileURLToPath } from 'node:url'
import {
  fileHistorySchema,
  questionPath,
  SESSION_QUESTIONS,
  sessionFileChangeSchema,
  sessionFilesSchema,
  sessionPath,
  sessionTimelineSchema,
} from '@gemini-dash/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { openTestServer, type TestServer } from './open-test-server.ts'

const HOME = fileURLToPath(new URL('../../../fixtures/home', import.meta.url))
/** A rewound turn, a sub-agent, a failed edit, a compression. */
const ROUNDING = '3e7a7b68-baf0-4b05-8f68-831b75a33ca5'
const ROOT = '/home/mia/code/webshop'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer({ home: HOME })
})
afterAll(() => server.close())

async function answerOf<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.infer<Schema>> {
  const headers = { cookie: server.cookie }
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers })
  expect([path, answer.status]).toEqual([path, 200])
  return schema.parse(await answer.json())
}

describe('the files that a session touched', () => {
  test('are those of its own calls and of its sub-agents, one row each', async () => {
    const { files, agents } = await answerOf(sessionPath('files', ROUNDING), sessionFilesSchema)
    expect(agents).toBe(1)
    expect(new Set(files.map(({ path }) => path)).size).toBe(files.length)
    const byName = new Map(files.map((file) => [file.name, file]))
    expect(byName.get('src/voucher.js')).toMatchObject({
      edits: 1,
      failedEdits: 1,
      reads: 1,
      byAgents: 1,
      net: byName.get('src/voucher.js')?.recorded,
    })
    expect(byName.get('src/locale.js')).toMatchObject({ edits: 1, superseded: 2, net: null })
    expect(byName.get('src/money.js')).toMatchObject({ writes: 1, isNew: true, net: { linesAdded: 17 } })
  })

  test('have their calls in order, each with its diff', async () => {
    const path = sessionPath('files/change', ROUNDING, { path: `${ROOT}/src/voucher.js` })
    const { calls, net } = await answerOf(path, sessionFileChangeSchema)
    expect(calls.map(({ action, outcome, isAgent }) => [action, outcome, isAgent])).toEqual([
      ['read', 'done', true],
      ['edited', 'failed', false],
      ['edited', 'done', false],
    ])
    expect(net).toMatchObject({ kind: 'diff', fileName: 'voucher.js' })
  })

  test('have their edits below the prompts that led to them, with what still stands', async () => {
    const path = sessionPath('edits', ROUNDING)
    const { prompts, counts } = await answerOf(path, SESSION_QUESTIONS.edits.answer)
    const edits = prompts.flatMap((prompt) => prompt.edits)
    expect(edits.map(({ name, state }) => [name, state])).toEqual([
      ['src/price.js', 'stands'],
      ['src/voucher.js', 'not-made'],
      ['src/voucher.js', 'stands'],
      // rewound, and not seen again
      ['src/locale.js', 'unknown'],
      ['src/money.js', 'stands'],
      ['src/receipt.js', 'stands'],
      ['scripts/check-orders.mjs', 'stands'],
      ['package.json', 'stands'],
    ])
    expect(prompts.every(({ text }) => text !== '')).toBe(true)
    expect(counts).toEqual({ stands: 6, partly: 0, gone: 0, unknown: 1, notMade: 1 })
  })

  test('a file that no call named is not found', async () => {
    const headers = { cookie: server.cookie }
    const path = sessionPath('files/change', ROUNDING, { path: '/nowhere' })
    expect((await fetch(`http://127.0.0.1:${server.port}${path}`, { headers })).status).toBe(404)
  })
})

describe('the history of a file', () => {
  test('holds what every session did to it, newest first, with the prompt that led to it', async () => {
    const { projects } = server.store.projects()
    const project = projects.find(({ name }) => name === 'webshop')?.key ?? ''
    const all = await answerOf(
      questionPath('files/history', { path: 'src/voucher.js', project }),
      fileHistorySchema,
    )
    expect(all).toMatchObject({ path: `${ROOT}/src/voucher.js`, name: 'src/voucher.js' })
    const times = all.entries.map(({ timestamp }) => timestamp ?? '')
    expect(times).toEqual([...times].sort().reverse())
    expect(all.entries.length).toBe(all.total)
    expect(new Set(all.entries.map(({ session }) => session.key)).size).toBe(all.sessionTotal)
    expect(all.entries.some(({ session }) => session.kind === 'subagent')).toBe(true)
    const edit = all.entries.find(({ calls }) => calls.some(({ action }) => action === 'edited'))
    expect(edit?.prompt?.text).toContain('The cart shows')

    const changes = await answerOf(
      questionPath('files/history', { path: `${ROOT}/src/voucher.js`, project, show: 'changes' }),
      fileHistorySchema,
    )
    expect(changes.entries.flatMap(({ calls }) => calls.map(({ action }) => action))).toContain('edited')
    expect(changes.entries.flatMap(({ calls }) => calls.map(({ action }) => action))).not.toContain('read')
  })

  test('comes page by page', async () => {
    const { projects } = server.store.projects()
    const project = projects.find(({ name }) => name === 'webshop')?.key ?? ''
    const path = `${ROOT}/src/price.js`
    const whole = await answerOf(questionPath('files/history', { path, project }), fileHistorySchema)
    const keys: string[] = []
    let cursor: string | undefined
    do {
      const page = await answerOf(
        questionPath('files/history', { path, project, limit: 1, cursor }),
        fileHistorySchema,
      )
      keys.push(...page.entries.map(({ messageKey }) => messageKey))
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(keys).toEqual(whole.entries.map(({ messageKey }) => messageKey))
  })

  test('of a file that nobody touched is empty', async () => {
    const none = await answerOf(questionPath('files/history', { path: '/nowhere/x.ts' }), fileHistorySchema)
    expect(none).toMatchObject({ entries: [], total: 0, project: null })
  })
})

describe('the timeline', () => {
  test('adds up, and shows the sub-agent below the call that started it', async () => {
    const { wallMs, totals, steps } = await answerOf(sessionPath('timeline', ROUNDING), sessionTimelineSchema)
    expect(Object.values(totals).reduce((sum, ms) => sum + ms, 0)).toBe(wallMs)
    const call = steps.findIndex(({ kind }) => kind === 'agent')
    expect(steps[call]?.measured).toEqual({ startMs: 9_300, endMs: 43_600 })
    expect(steps[call + 1]).toMatchObject({ depth: 1, sessionKey: steps[call]?.agentKey })
  })

  test('of a window has its steps alone, with the totals of all', async () => {
    const whole = await answerOf(sessionPath('timeline', ROUNDING), sessionTimelineSchema)
    const part = await answerOf(
      sessionPath('timeline', ROUNDING, { from: 150_000, to: 180_000 }),
      sessionTimelineSchema,
    )
    expect(part.totals).toEqual(whole.totals)
    expect(part.steps).toEqual(whole.steps.filter(({ superseded }) => superseded === 'rewound'))
  })
})
