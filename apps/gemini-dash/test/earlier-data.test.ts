import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import type {
  BudgetReport,
  Health,
  KeepStatus,
  MarkList,
  MessagePage,
  ProjectList,
  SessionList,
  Settings,
  UsageReport,
  ViewList,
  WriteJournal,
} from '@gemini-dash/api'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { archiveFolder } from '../src/keep/gone-list.ts'
import { type RunningProgram, startProgram } from './run-program.ts'

const FIXTURE = new URL('../../../fixtures/earlier-data/data.json.br', import.meta.url)

/** Data written by an earlier program, and its answers about that: fixtures/earlier-data/README.md. */
interface EarlierData {
  /** Where it was written; the folders of archives are named after it. */
  root: string
  /** Bytes in base64 by path. */
  files: Record<string, string>
  answers: Record<string, unknown>
}

let root: string
let program: RunningProgram
let origin: string
let earlier: EarlierData
beforeAll(async () => {
  earlier = JSON.parse(brotliDecompressSync(readFileSync(fileURLToPath(FIXTURE))).toString())
  root = realpathSync(mkdtempSync(join(tmpdir(), 'earlier-data-')))
  const home = join(root, 'home', '.gemini')
  const archive = basename(archiveFolder('', home))
  for (const [name, base64] of Object.entries(earlier.files)) {
    const path = join(root, name.replace('{HOME}', archive))
    const bytes = Buffer.from(base64, 'base64')
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(path, name.endsWith('.pack') ? bytes : bytes.toString().replaceAll(earlier.root, root), {
      mode: 0o600,
    })
  }
  const own = ['--data-dir', join(root, 'data'), '--cache-dir', join(root, 'cache')]
  program = startProgram([
    ...['serve', '--json', '--no-open', '--no-token', '--port', '0', '--home', join(root, 'home')],
    ...own,
  ])
  origin = new URL(JSON.parse(await program.firstLine).url).origin
  await vi.waitUntil(async () => (await ask<Health>('/api/health')).index.state === 'ready', 60_000)
})
afterAll(async () => {
  program.child.kill('SIGTERM')
  await program.finished
  rmSync(root, { recursive: true, force: true })
})

async function ask<Answer>(path: string): Promise<Answer> {
  return (await fetch(`${origin}${path}`)).json() as Promise<Answer>
}

/** The same part of both answers; everything else does not depend on the data folder. */
async function expectSame<Answer>(path: string, part: (answer: Answer) => unknown): Promise<void> {
  const before = JSON.parse(JSON.stringify(earlier.answers[path]).replaceAll(earlier.root, root)) as Answer
  expect(part(before)).not.toEqual([])
  expect(part(await ask<Answer>(path))).toEqual(part(before))
}

describe('a data folder that an earlier program wrote', () => {
  test('has its stars, notes, tags, titles and views', async () => {
    await expectSame<MarkList>('/api/marks', ({ marks }) => marks)
    await expectSame<ViewList>('/api/views', ({ views }) => views)
  })

  test('has its names of projects, labels of homes, prices and budgets', async () => {
    await expectSame<ProjectList>('/api/projects', ({ projects }) =>
      projects.map(({ key, name, nameSource }) => [key, name, nameSource]),
    )
    // `used` is derived from the sessions, and newer than that program
    await expectSame<Settings>('/api/settings', ({ homes, prices: { used: _used, ...own } }) => [
      homes.map(({ path, label }) => [path, label]),
      own,
    ])
    await expectSame<BudgetReport>('/api/budgets?tz=UTC', ({ budgets }) =>
      budgets.map(({ project, usdPerMonth }) => [project, usdPerMonth]),
    )
    // by the user's own price
    await expectSame<UsageReport>('/api/usage?by=project&tz=UTC', ({ total }) => [total.usage, total.cost])
  })

  test('has its archive, with the sessions whose files are gone, and all of their messages', async () => {
    await expectSame<KeepStatus>(
      '/api/keep',
      ({ enabled, sessions, onlyHere, files, damaged, limits, homes }) => {
        return { enabled, sessions, onlyHere, files, damaged, limits, homes }
      },
    )
    const rows = '/api/sessions?kind=all&limit=1000&tz=UTC'
    await expectSame<SessionList>(rows, ({ sessions }) =>
      sessions
        .map(({ key, kind, title, project, counts, usage, cost, mark, deletedSeen }) => {
          return {
            key,
            kind,
            title,
            project: project.name,
            counts,
            usage,
            cost,
            mark,
            isGone: deletedSeen !== null,
          }
        })
        .sort((one, other) => (one.key < other.key ? -1 : 1)),
    )
    const shown = Object.keys(earlier.answers).filter((path) => path.includes('/messages'))
    expect(shown).toHaveLength(1)
    await expectSame<MessagePage>(shown[0] ?? '', ({ messages }) =>
      messages.map(({ key, type, timestamp, model, content, usage, toolCalls }) => {
        const calls = toolCalls.map(({ id, name, args, output }) => ({ id, name, args, output }))
        return { key, type, timestamp, model, content, usage, calls }
      }),
    )
  })

  test('has its journal of what was written under a home', async () => {
    await expectSame<WriteJournal>('/api/journal', ({ entries }) => entries)
  })
})
