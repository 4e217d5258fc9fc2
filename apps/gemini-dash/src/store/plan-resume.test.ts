import type { SessionFile, SessionSummary } from 'gemini-sessions'
import { expect, test } from 'vitest'
import { summaryFixture } from '../../test/record-fixture.ts'
import { planResume, type ResumeFacts } from './resume-session.ts'

const HOME = '/home/mia/.gemini'
const ID = '4363c94e-b2c5-4034-b4ff-8148ed6493c9'

function fileAt(path: string, fields: Partial<SessionFile> = {}): SessionFile {
  return { home: HOME, path, role: 'current', sizeBytes: 1, ...fields } as SessionFile
}

function plan(session: Partial<SessionSummary> = {}, facts: Partial<ResumeFacts> = {}) {
  return planResume({
    session: summaryFixture({ files: [fileAt('tmp/webshop/chats/session-a.jsonl')], ...session }),
    shell: 'posix',
    cli: { homes: [HOME], version: '0.61.0' },
    isFolder: () => true,
    deletedNextStart: null,
    isIdShared: false,
    ...facts,
  })
}

test('a session whose folder is there has a command and nothing against it', () => {
  expect(plan()).toEqual({
    command: `cd /home/mia/code/webshop && gemini --resume ${ID}`,
    cwd: '/home/mia/code/webshop',
    needs: '0.39.0',
    problems: [],
    notes: [],
  })
  expect(plan({}, { shell: 'powershell' }).command).toBe(
    `Set-Location -LiteralPath /home/mia/code/webshop; gemini --resume ${ID}`,
  )
})

test('a folder that is gone, or that nobody knows, is told', () => {
  const gone = plan({}, { isFolder: () => false })
  expect([gone.command, gone.problems]).toEqual([
    `cd /home/mia/code/webshop && gemini --resume ${ID}`,
    ['folder-gone'],
  ])
  expect(gone.notes[0]).toContain('/home/mia/code/webshop doesn’t exist on this computer')
  const unknown = plan({ project: { key: 'a', name: 'd2f1c3b4', path: null } })
  expect([unknown.command, unknown.cwd, unknown.problems]).toEqual([
    `gemini --resume ${ID}`,
    null,
    ['folder-gone'],
  ])
})

test('a session of another home is resumed with that home, where it can be named', () => {
  const cli = { homes: ['/home/anna/.gemini'], version: null }
  const other = plan({}, { cli })
  expect(other.command).toBe(`cd /home/mia/code/webshop && GEMINI_CLI_HOME=/home/mia gemini --resume ${ID}`)
  expect(other.problems).toEqual(['other-home'])
  expect(plan({}, { cli, shell: 'powershell' }).command).toBe(
    `Set-Location -LiteralPath /home/mia/code/webshop; $env:GEMINI_CLI_HOME = '/home/mia'; gemini --resume ${ID}`,
  )
  const files = [fileAt('tmp/webshop/chats/session-a.jsonl', { home: '/mnt/backup/gemini-2025' })]
  expect(plan({ files }, { cli }).command).toBe(`cd /home/mia/code/webshop && gemini --resume ${ID}`)
})

test('what will be deleted, and what shares its id, is told', () => {
  const { problems, notes } = plan({}, { deletedNextStart: 'A file of it is damaged.', isIdShared: true })
  expect(problems).toEqual(['deleted-next-start', 'shared-id'])
  expect(notes[0]).toBe(
    'Gemini CLI will delete this session on its next start. A file of it is damaged. Copy its file elsewhere first.',
  )
})

test('T7: a deletion is said by the rules of the version that they were tried with', () => {
  const notesWith = (version: string | null) =>
    plan({}, { deletedNextStart: 'Why.', cli: { homes: [HOME], version } }).notes
  expect(notesWith(null)).toContainEqual(
    expect.stringMatching(
      /^By the rules of Gemini CLI 0\.61, this session will be deleted on its next start\. Why\./,
    ),
  )
  expect(notesWith('0.65.0')).toContainEqual(
    expect.stringContaining('(yours is newer: 0.65.0), this session will'),
  )
})

test('the version that is installed has to know the kind of file', () => {
  const needs = (path: string, version: string | null) => {
    const { needs, problems } = plan({ files: [fileAt(path)] }, { cli: { homes: [HOME], version } })
    return [needs, problems]
  }
  const hash = 'a'.repeat(64)
  expect(needs('tmp/webshop/chats/session-a.jsonl', '0.38.2')).toEqual(['0.39.0', ['cli-too-old']])
  expect(needs('tmp/webshop/chats/session-a.jsonl', '0.40.0-preview.1')).toEqual(['0.39.0', []])
  expect(needs('tmp/webshop/chats/session-a.json', '0.9.0')).toEqual(['0.30.0', ['cli-too-old']])
  expect(needs(`tmp/${hash}/chats/session-a.json`, '0.20.2')).toEqual(['0.20.2', []])
  expect(needs(`tmp/${hash}/chats/session-a.json`, '0.15.0')).toEqual(['0.20.2', ['cli-too-old']])
  expect(needs('tmp/webshop/chats/session-a.jsonl', '1.0.0')).toEqual(['0.39.0', []])
  expect(needs('tmp/webshop/chats/session-a.jsonl', null)).toEqual(['0.39.0', []])
})

test('what Gemini CLI does not offer has no command, but a reason', () => {
  const refused: Partial<SessionSummary>[] = [
    { kind: 'subagent' },
    { kind: 'checkpoint' },
    { kind: 'prompts-only' },
    { buried: true },
    { files: [fileAt('tmp/webshop/chats/session-a.jsonl', { role: 'damaged' })] },
    { counts: { ...(summaryFixture().counts as NonNullable<SessionSummary['counts']>), messages: 0 } },
  ]
  const plans = refused.map((session) => plan(session))
  expect(plans.map(({ command, needs, problems }) => [command, needs, problems])).toEqual(
    refused.map(() => [null, null, []]),
  )
  expect(new Set(plans.flatMap(({ notes }) => notes)).size).toBe(refused.length)
})

test('what Gemini CLI does not find in its files has no command, wherever else a copy is kept', () => {
  const path = 'tmp/webshop/chats/session-a.jsonl'
  const kept = { digest: 'a', missed: '2026-01-01T00:00:00.000Z' } as unknown as SessionFile['kept']
  const withFiles = (...files: SessionFile[]) => plan({ files }).command === null
  expect(withFiles(fileAt(path, { resumable: false }))).toBe(true)
  expect(withFiles(fileAt(path, { resumable: false }), fileAt(path, { resumable: true, kept }))).toBe(true)
  expect(withFiles(fileAt(path, { resumable: false }), fileAt(path, { resumable: true }))).toBe(false)
  expect(withFiles(fileAt(path))).toBe(false)
  const unlisted = { files: [fileAt(path, { resumable: false })] }
  expect(plan(unlisted).notes).toEqual([expect.stringContaining('does not offer it')])
  const due = plan(unlisted, { deletedNextStart: 'Its first line is missing.' })
  expect([due.command, due.notes]).toEqual([
    null,
    [expect.stringContaining('does not offer it'), expect.stringContaining('Copy its file elsewhere first')],
  ])
})

test('from an earlier turn it is a command of ours, also for a home that has to be named', () => {
  const key = 'SesvJCaWJc5h'
  expect(plan({ key }, { at: 3 })).toEqual({
    command: 'gemini-dash fork SesvJCaWJc5h --at 3 --write',
    cwd: '/home/mia/code/webshop',
    needs: '0.39.0',
    problems: [],
    notes: [],
  })
  const cli = { homes: ["/home/anna's/.gemini"], version: null }
  const files = [fileAt('tmp/webshop/chats/session-a.jsonl', { home: '/mnt/old home/.gemini' })]
  expect(plan({ key, files }, { at: 3, cli }).command).toBe(
    "gemini-dash fork SesvJCaWJc5h --at 3 --write --home '/mnt/old home/.gemini'",
  )
  expect(plan({ buried: true }, { at: 3 }).command).not.toBeNull()
  for (const [session, at] of [
    [{}, 1],
    [{ kind: 'subagent' }, 3],
    [{ source: 'antigravity-cli' }, 3],
  ] satisfies [Partial<SessionSummary>, number][]) {
    const { command, notes } = plan(session, { at })
    expect([command, notes.length]).toEqual([null, 1])
  }
})

test('an id that a file claims is no option and no command', () => {
  expect(plan({ sessionId: '--yolo' }).command).toContain("gemini '--resume=--yolo'")
  expect(plan({ sessionId: '$(rm x)' }).command).toContain("gemini --resume '$(rm x)'")
})
