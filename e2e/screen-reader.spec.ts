import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { machineTime } from '../fixtures/machine-time.ts'
import { heardOn } from './fixtures/heard.ts'
import { expectReadyIndex } from './fixtures/ready-index.ts'
import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'
import { chatsOf, writeAsCli } from './fixtures/write-as-cli.ts'

test.use({ ownProgram: 'screen-reader' })

const { id, title } = SESSIONS.rounding
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

test('a row of the list is heard with the name of every figure', async ({ page }) => {
  await expectReadyIndex(page)
  await page.goto('/')
  await expect(page.getByRole('link', { name: title, exact: true })).toBeVisible()
  await expect(page.getByText('Index complete')).toBeVisible()
  const heard = await heardOn(page)
  const from = heard.findIndex(({ role, name }) => role === 'link' && name === title)
  const length = heard.slice(from).findIndex(({ role }) => role === 'listitem')
  const row = heard.slice(from, from + length)
  const words = row.map(({ name }) => name).join(' ')
  expect(words).toContain('4 failed: show them, never rerun')
  expect(words).toMatch(/\$\d\.\d+ cost/)
  // only the title and the failures: no other controls in between
  expect(row.filter(({ role }) => role === 'link' || role === 'button')).toHaveLength(2)
  expect(words).toMatch(/ active \S/)
})

test('a page change leads to its heading, a session to its messages, and Back to where one was', async ({
  page,
}) => {
  await page.goto('/')
  await page.getByRole('link', { name: title, exact: true }).press('Enter')
  await expect(heading(page, title)).toBeFocused()
  await expect(page).toHaveTitle(new RegExp(title))

  await expect(page.getByRole('article').first()).toBeVisible()
  await page.getByRole('button', { name: 'Skip to conversation' }).press('Enter')
  await expect(page.locator('article:focus')).toHaveAccessibleName(/^You: \S/)
  await expect.poll(() => page.getByRole('article').count()).toBeGreaterThan(5)
  const heard = await heardOn(page)
  const articles = heard.filter(({ role }) => role === 'article').map(({ name }) => name)
  expect(articles.filter((name) => !/^[^:]+: \S|^Turn \d+ \(rewound\)$/.test(name))).toEqual([])
  const answers = articles.filter((name) => name.startsWith('Gemini: '))
  expect(new Set(answers).size).toBe(answers.length)
  const headings = heard.filter(({ role }) => role === 'heading').map(({ name }) => name)
  expect(headings).toContainEqual(expect.stringMatching(/^Gemini: \S/))
  expect(headings).toContainEqual(expect.stringMatching(/^You: \S/))

  await page.goBack()
  await expect(page.getByRole('link', { name: title, exact: true })).toBeFocused()
  await page.getByRole('link', { name: 'Usage', exact: true }).press('Enter')
  await expect(heading(page, 'Usage')).toBeFocused()
  // the search page focuses its own input, and announces the page
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await expect(page.getByRole('combobox', { name: 'Search or jump to' })).toBeFocused()
  await expect(page.getByRole('status').filter({ hasText: 'Search - gemini-dash' })).toBeAttached()
})

test('a session that grows is announced while it grows, and the find gives the focus back', async ({
  page,
  program,
}) => {
  const chats = chatsOf(program)
  const file = join(chats, `session-2026-11-21T16-30-${id.slice(0, 8)}.jsonl`)
  await page.goto(`/s/${id}`)
  await expect(page.getByRole('article').first()).toBeVisible()
  const said = page.getByRole('status').filter({ hasText: /new message/ })
  writeAsCli(file, 'answer', 'The first of three.')
  await expect(said).toHaveText(/^1 new message, \d+ in total$/)
  // both at once: on a busy machine a later one would be announced separately
  const late = ['The second of three.', 'The third of three.'].map((content, place) => {
    const base = { id: `late-${place}`, timestamp: machineTime().toISOString() }
    return JSON.stringify({ ...base, type: 'gemini', content, thoughts: [], model: 'gemini-2.5-pro' })
  })
  appendFileSync(file, `${late.join('\n')}\n`)
  await expect(said).toHaveText(/^2 new messages, \d+ in total$/)

  const menu = page.getByRole('button', { name: 'More actions' })
  await menu.focus()
  await page.keyboard.press('f')
  const box = page.getByRole('textbox', { name: 'Find in this session' })
  await expect(box).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(menu).toBeFocused()
})
