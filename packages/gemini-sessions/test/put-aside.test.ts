import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readHome } from './read-home.ts'

const ID = '3e3ec711-6ede-4f92-b504-17853a236a5d'
const NAME = 'session-2026-11-21T20-30-3e3ec711.jsonl'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'put-aside-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(name: string, lines: readonly string[]): void {
  const path = join(root, '.gemini/tmp/shop/chats', name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''))
}

const at = (second: number) => `2026-11-21T20:30:${String(second).padStart(2, '0')}.000Z`
const METADATA = JSON.stringify({
  sessionId: ID,
  projectHash: '0'.repeat(64),
  startTime: at(0),
  lastUpdated: at(0),
})
const row = (n: number) =>
  JSON.stringify({
    id: `m${n}`,
    timestamp: at(n),
    type: n % 2 ? 'user' : 'gemini',
    content: `text ${n}`,
    ...(n % 2
      ? {}
      : { model: 'm', tokens: { input: 10, output: 1, cached: 0, thoughts: 0, tool: 0, total: 11 } }),
  })

it.each([
  ['a line in the middle', [METADATA, row(1), row(2), '{"id":"m3', row(4)]],
  ['the first line', ['{"sessionId":"3e3e', row(1), row(2), row(4)]],
])(
  'a log that the CLI put aside for %s belongs to the one in its place: nothing lost, nothing twice',
  async (_, lines) => {
    write(`${NAME}.unreadable-1795293056000`, lines)
    write(NAME, [METADATA, row(1), row(2), row(5), row(6)])
    const { sessions, summaries } = await readHome(root)
    expect(
      sessions.map(({ files }) =>
        files.map(({ path, role }) => [path.slice('tmp/shop/chats/'.length), role]),
      ),
    ).toEqual([
      [
        [NAME, 'current'],
        [`${NAME}.unreadable-1795293056000`, 'part'],
      ],
    ])
    expect(sessions[0]?.messages.map(({ id }) => id)).toEqual(['m1', 'm2', 'm4', 'm5', 'm6'])
    expect(summaries[0]?.usage).toMatchObject({ calls: 3, total: 33 })
  },
)

it('a log that was put aside and never written again is still the session, under its own key', async () => {
  write(NAME, [METADATA, row(1), row(2)])
  const [healthy] = (await readHome(root)).sessions
  rmSync(join(root, '.gemini/tmp/shop/chats', NAME))
  write(`${NAME}.unreadable-1795293056000`, [METADATA, row(1), '{', row(2)])
  const [aside] = (await readHome(root)).sessions
  expect(aside?.key).toBe(healthy?.key)
  expect(aside?.messages.map(({ id }) => id)).toEqual(['m1', 'm2'])
})
