import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SearchResult, SessionList } from '@gemini-dash/api'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestServer, type TestServer } from './open-test-server.ts'
import { runProgram } from './run-program.ts'

const ID = '4363c94e-b2c5-4034-b4ff-8148ed6493c9'
const NAME = 'session-2026-03-01T10-00-4363c94e.json'

let folder: string
let home: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-copies-'))
  home = join(folder, 'h', '.gemini')
  for (const project of ['shop', 'storefront'])
    mkdirSync(join(home, 'tmp', project, 'chats'), { recursive: true })
  const projects = { '/home/u/shop': 'shop', '/home/u/storefront': 'storefront' }
  writeFileSync(join(home, 'projects.json'), JSON.stringify({ projects }))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const fileIn = (project: string) => join(home, 'tmp', project, 'chats', NAME)

function write(project: string, words: readonly string[]): void {
  const messages = words.map((word, index) => ({
    id: `m${index}`,
    timestamp: `2026-03-01T10:0${index}:00.000Z`,
    type: index % 2 === 0 ? 'user' : 'gemini',
    content: word,
    ...(index % 2 === 1 && { model: 'gemini-2.5-pro', tokens: tokens(1_000) }),
  }))
  const startTime = '2026-03-01T10:00:00.000Z'
  const session = { sessionId: ID, projectHash: 'a'.repeat(64), startTime, lastUpdated: startTime, messages }
  writeFileSync(fileIn(project), JSON.stringify(session, null, 2))
}

function tokens(input: number) {
  return { input, output: 10, cached: 0, thoughts: 0, tool: 0, total: input + 10 }
}

async function ask<Answer>({ port, cookie }: TestServer, path: string): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { cookie } })
  expect([path, response.status]).toEqual([path, 200])
  return (await response.json()) as Answer
}

async function keysByProject(server: TestServer): Promise<Record<string, string>> {
  const { sessions } = await ask<SessionList>(server, '/api/sessions?kind=all')
  return Object.fromEntries(sessions.map(({ key, project }) => [project.name, key]))
}

describe('one session in two projects', () => {
  test.each(['words', 'substring', 'regex'])(
    'I1: a hit is in the session and project that have it (%s)',
    async (mode) => {
      write('shop', ['a puffin', 'an answer'])
      write('storefront', ['a puffin', 'an answer', 'and a heron', 'yes'])
      const server = await openTestServer({ home })
      try {
        const keys = await keysByProject(server)
        expect(keys.shop).not.toBe(keys.storefront)
        const find = (query: string) =>
          ask<SearchResult>(server, `/api/search?mode=${mode}&q=${encodeURIComponent(query)}`)
        const of = ({ hits }: SearchResult) => [...new Set(hits.map(({ sessionKey }) => sessionKey))].sort()
        expect(of(await find('puffin'))).toEqual([keys.shop, keys.storefront].sort())
        expect(of(await find('heron'))).toEqual([keys.storefront])
        const inShop = await ask<SearchResult>(server, `/api/search?mode=${mode}&q=puffin&project=shop`)
        expect(of(inShop)).toEqual([keys.shop])
        for (const key of [keys.shop, keys.storefront]) {
          expect(of(await find(`puffin session:${key}`))).toEqual([key])
          const { messages } = await ask<{ messages: { key: string }[] }>(
            server,
            `/api/sessions/${key}/messages`,
          )
          const has = new Set(messages.map((message) => message.key))
          const { hits } = await find(`puffin session:${key}`)
          expect(hits.filter(({ messageKey }) => messageKey !== null && !has.has(messageKey))).toEqual([])
        }
      } finally {
        await server.close()
      }
    },
  )

  test('I1: an export of what a search finds has the session of that project', async () => {
    write('shop', ['a puffin', 'an answer'])
    write('storefront', ['a puffin', 'an answer', 'and a heron', 'yes'])
    const common = ['--home', home, '--cache-dir', join(folder, 'cache'), '--data-dir', join(folder, 'data')]
    const out = join(folder, 'out')
    const { code, stderr } = await runProgram([
      'export',
      '--query',
      'puffin',
      '--project',
      'shop',
      '--format',
      'json',
      '--out',
      out,
      ...common,
    ])
    expect([code, stderr]).toEqual([0, expect.any(String)])
    const list = await runProgram(['list', '--json', '--project', 'shop', ...common])
    const [row] = (JSON.parse(list.stdout) as SessionList).sessions
    expect(row?.project.name).toBe('shop')
    const shown = await runProgram(['show', row?.key ?? '', ...common])
    expect(shown.stdout).toContain('a puffin')
    expect(shown.stdout).not.toContain('heron')
  })

  test('I2: a copy that appears while the server runs, before the first one by path, takes no key', async () => {
    write('storefront', ['a puffin', 'an answer', 'and a heron', 'yes'])
    const server = await openTestServer({ home, isWatching: true })
    try {
      const before = await keysByProject(server)
      write('shop', ['a puffin', 'an answer'])
      server.lookAgain()
      await expect.poll(() => keysByProject(server)).toHaveProperty('shop')
      const now = await keysByProject(server)
      expect(now.storefront).toBe(before.storefront)
      const row = await ask<{ session: { project: { name: string } } }>(
        server,
        `/api/sessions/${before.storefront}`,
      )
      expect(row.session.project.name).toBe('storefront')
    } finally {
      await server.close()
    }
  })

  test('I2: keys stay when the cache is deleted, and follow a session that is moved by hand', async () => {
    const common = ['--home', home, '--cache-dir', join(folder, 'cache'), '--data-dir', join(folder, 'data')]
    const keys = async () => {
      const { stdout } = await runProgram(['list', '--json', ...common])
      const { sessions } = JSON.parse(stdout) as SessionList
      return Object.fromEntries(sessions.map(({ key, project }) => [project.name, key]))
    }
    write('storefront', ['a puffin', 'an answer', 'and a heron', 'yes'])
    const first = await keys()
    cpSync(fileIn('storefront'), fileIn('shop'))
    const both = await keys()
    expect(both.storefront).toBe(first.storefront)
    rmSync(join(folder, 'cache'), { recursive: true })
    expect(await keys()).toEqual(both)
    rmSync(fileIn('shop'))
    await keys()
    renameSync(fileIn('storefront'), fileIn('shop'))
    expect(await keys()).toEqual({ shop: first.storefront })
    expect(readFileSync(join(folder, 'data', 'keys.jsonl'), 'utf8')).not.toContain('storefront')
  })
})
