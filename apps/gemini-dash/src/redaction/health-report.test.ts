import { homedir, hostname } from 'node:os'
import type { Doctor, Health, KeepStatus } from '@gemini-dash/api'
import type { Project } from 'gemini-sessions'
import { expect, test } from 'vitest'
import { healthReport } from './health-report.ts'

const doctor = {
  files: {
    found: 4,
    sessions: 2,
    partlyRead: 1,
    skipped: [
      {
        path: '/home/ada/.gemini/tmp/x',
        reason: 'It lies in /home/ada/secret plans, of Acme Rocket, and ends early.',
      },
      { path: '/home/ada/.gemini/tmp/y', reason: 'session-2026-01-01T10-00-abcdef12.json is empty.' },
      { path: '/home/ada/.gemini/tmp/z', reason: 'Asked @octocat about #12.' },
    ],
  },
  issues: [{ code: 'torn-tail', count: 3 }],
  drift: [
    { where: 'message', name: 'mood', count: 2 },
    { where: 'message', name: 'what Ada typed | here', count: 1 },
  ],
  duplicates: 1,
  retention: { enabled: true, maxAgeDays: 30, expiring: [], atRisk: [{}] },
  unclearProjects: [],
  warnings: [{ code: 'cache-not-kept', message: `${homedir()}/cache cannot be written on ${hostname()}` }],
  cache: { path: 'C:\\Users\\ada\\cache', sizeBytes: 1_000 },
  disk: { sizeBytes: 5_000, files: 9 },
} as unknown as Doctor
const health = {
  version: '1.2.3',
  homes: [{ path: '/home/ada/.gemini', exists: true }],
  index: { state: 'ready', filesDone: 4, filesTotal: 4 },
  demo: false,
  prices: { list: { name: 'list', version: '1', date: '2026-11-01' }, plan: 'list-price', problem: null },
} as unknown as Health
const keep = { enabled: false, sessions: 0, damage: null, problem: null } as unknown as KeepStatus
const projects = [{ name: 'Acme Rocket', path: '/home/ada/acme' }] as Project[]

test('a report names codes, counts and versions; paths, files, projects and texts of others are taken out', () => {
  const text = healthReport({ health, doctor, projects, keep })
  expect(text).toContain('- files: 4 found, 2 sessions, 1 read in part, 1 copy')
  expect(text).toContain('| torn-tail | 3 |')
  expect(text).toContain('| message: mood | 2 |')
  expect(text).toContain('| message: (not shown: no plain name) | 1 |')
  expect(text).toContain('| [file] is empty. | 1 |')
  // nobody is notified where it is pasted
  expect(text).toContain('| Asked @\u2060octocat about #\u206012. | 1 |')
  expect(text).toContain('cache-not-kept: [path] cannot be written')
  for (const name of ['/home/', 'ada', 'Ada', 'Acme', 'secret', 'C:\\', 'abcdef12', homedir(), hostname()])
    expect([name, text.includes(name)]).toEqual([name, false])
})
