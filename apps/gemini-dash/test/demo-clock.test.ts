import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BudgetReport, Doctor, Health, ProjectList, SearchResult, SessionList } from '@gemini-dash/api'
import { readSessions } from 'gemini-sessions/node'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { movedClock } from '../../../fixtures/moved-clock.ts'
import { runProgram, startProgram } from './run-program.ts'

const DEMO = fileURLToPath(new URL('../../../fixtures/home', import.meta.url))
const DAY_MS = 24 * 60 * 60 * 1000

let folder: string
/** The built program with the samples and a page, as published. */
let program: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-clock-'))
  program = join(folder, 'program')
  cpSync(inject('program'), program, { recursive: true })
  cpSync(DEMO, join(program, 'demo-home'), { recursive: true })
  mkdirSync(join(program, 'web'))
  writeFileSync(
    join(program, 'web', 'index.html'),
    '<!doctype html><html lang="en"><title>gemini-dash</title>',
  )
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const own = (name: string) => [
  ...['--cache-dir', join(folder, name, 'cache')],
  ...['--data-dir', join(folder, name, 'data')],
]

const COMMANDS = [
  ['list', '--plain', '--tz', 'UTC'],
  ['list', '--from', '7d', '--plain', '--tz', 'UTC'],
  ['usage', '--from', '7d', '--by', 'day', '--plain', '--tz', 'UTC'],
  ['search', 'after:-7d price', '--from', 'yesterday', '--json', '--tz', 'UTC'],
  ['doctor', '--json'],
]

/** Output of each command this many days from now. */
async function printedAfter(days: number): Promise<string[]> {
  const printed: string[] = []
  for (const command of COMMANDS) {
    const { stdout } = await runProgram(
      [...command, '--demo', ...own('commands')],
      movedClock(days * DAY_MS),
      program,
    )
    printed.push(stdout)
  }
  return printed
}

describe('the sample sessions', () => {
  let today: string[]
  beforeAll(async () => {
    today = await printedAfter(0)
  })

  it('T12: are there in ranges that end now, and none of them is too old to be kept', () => {
    const [, week = '', days = '', found = '', report = ''] = today
    expect(week.trim().split('\n').length).toBeGreaterThan(20)
    expect(days).toContain('2026-11-21')
    expect((JSON.parse(found) as SearchResult).total).toBeGreaterThan(0)
    const { retention } = JSON.parse(report) as Doctor
    expect(retention.atRisk.length).toBeGreaterThan(0)
    expect(retention.expiring).toEqual([])
  })

  it.each([60, 400])('T12: look the same in %d days: lists, ranges, searches and deletions', async (days) => {
    expect(await printedAfter(days)).toEqual(today)
  })

  it.each([0, 60, 400])('T12: are served in %d days on the day after their last record', async (days) => {
    const last = await lastRecordMs()
    const served = startProgram(
      ['serve', '--demo', '--no-open', '--no-token', '--port', '0', '--json', ...own(`served ${days}`)],
      movedClock(days * DAY_MS),
      program,
    )
    const { url } = JSON.parse(await served.firstLine) as { url: string }
    const ask = async <Answer>(path: string): Promise<Answer> => {
      const response = await fetch(new URL(path, url))
      return (await response.json()) as Answer
    }
    let health = await ask<Health>('/api/health')
    while (health.index.state !== 'ready') health = await ask<Health>('/api/health')
    expect(Date.parse(health.now ?? '') - last).toBe(DAY_MS)
    expect(await (await fetch(url)).text()).toContain(` data-sample-now="${health.now}"`)
    const today = health.now?.slice(0, 'YYYY-MM-DD'.length) ?? ''
    expect((await ask<BudgetReport>('/api/budgets?tz=UTC')).month.from).toBe(`${today.slice(0, 7)}-01`)
    const found = await ask<SearchResult>('/api/search?q=price+after:-7d&tz=UTC')
    expect(found.total).toBeGreaterThan(10)
    const { sessions } = await ask<SessionList>('/api/sessions?limit=1000')
    expect(sessions.filter(({ live }) => live)).toEqual([])
    // Some of them are due, but not all.
    const due = sessions.filter(
      ({ deletedAfter }) => Date.parse(deletedAfter ?? '') <= Date.parse(health.now ?? ''),
    )
    expect(due.length).toBeGreaterThan(0)
    expect(due.length).toBeLessThan(sessions.length / 2)
    expect((await ask<ProjectList>('/api/projects')).total).toBeGreaterThan(5)
    served.child.kill()
    await served.finished
  })
})

it('T12: sessions of one’s own go by the time', async () => {
  const args = ['list', '--from', '30d', '--home', DEMO, ...own('home')]
  expect((await runProgram(args, movedClock(400 * DAY_MS), program)).stdout).toBe('')
  const health = startProgram(
    ['serve', '--home', DEMO, '--no-open', '--no-token', '--port', '0', '--json', ...own('own')],
    movedClock(400 * DAY_MS),
    program,
  )
  const { url } = JSON.parse(await health.firstLine) as { url: string }
  expect(((await (await fetch(new URL('/api/health', url))).json()) as Health).now).toBeNull()
  expect(await (await fetch(url)).text()).not.toContain('data-sample-now')
  health.child.kill()
  await health.finished
})

async function lastRecordMs(): Promise<number> {
  const times: number[] = []
  for await (const { session } of readSessions({ homes: [DEMO] }))
    for (const { timestamp } of session.messages) if (timestamp !== null) times.push(Date.parse(timestamp))
  return Math.max(...times)
}
