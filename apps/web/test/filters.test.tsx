import { QueryClientProvider } from '@tanstack/react-query'
import type { SessionChanges } from 'gemini-sessions'
import { describe, expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import { createQueryClient } from '../src/api/request.ts'
import { ListFilter } from '../src/features/session-list/list-actions.tsx'
import { askDetail, askMap, askMessages, LONG, ROUNDING } from './ask-server.ts'
import { drawn, openPage, openSession, showOnly, whenRead } from './open-page.tsx'

const CHOICES = [
  ['errors', 'Failed'],
  ['edits', 'Edits'],
  ['shell', 'Commands'],
  ['dialogue', 'Prompts and answers'],
  ['thoughts', 'Thinking'],
] as const

describe('a filter of messages', () => {
  test('leaves what the server counts, and that alone is drawn', async () => {
    const { counts } = await askMap(ROUNDING)
    const { messageTotal } = await askDetail(ROUNDING)
    await openSession(ROUNDING, '', { height: 6_000 })
    for (const [show, name] of CHOICES) {
      const kept = await askMessages(ROUNDING, { show, limit: 100 })
      expect([show, counts[show]]).toEqual([show, kept.length])
      await showOnly(name)
      await whenRead()
      await expect
        .poll(() => {
          // a fold that is drawn late is opened late
          for (const fold of document.querySelectorAll<HTMLElement>('.fold-head[aria-expanded="false"]'))
            fold.click()
          return drawn().length
        })
        .toBe(kept.length)
      expect(drawn().map(({ id }) => id)).toEqual(kept.map(({ key }) => `m-${key}`))
      expect(window.location.search).toBe(`?show=${show}`)
      await expect.element(page.getByRole('button', { name: `Outline: ${name}`, exact: true })).toBeVisible()
      // messages keep their positions in the whole session
      expect(drawn().at(-1)?.ariaSetSize).toBe(String(messageTotal))
    }
  })

  test('is taken off by All turns, also in a session that is too short for an outline', async () => {
    await openSession(LONG, '?show=errors')
    await showOnly('All turns')
    await expect.poll(() => window.location.search).toBe('')
  })

  test('lists the turns with an edit, or a command, that the session tells of', async () => {
    const { turns }: SessionChanges = await (await fetch(`/api/sessions/${ROUNDING}/changes`)).json()
    await openSession(ROUNDING)
    for (const [name, kind] of [
      ['Edits', 'edit'],
      ['Commands', 'command'],
    ] as const) {
      const wanted = turns
        .filter(({ number, steps }) => number > 0 && steps.some((step) => step.kind === kind))
        .map(({ number }) => String(number))
      await showOnly(name)
      const numbers = () => [...document.querySelectorAll('.outline-number')].map((each) => each.textContent)
      await expect.poll(numbers).toEqual(wanted)
    }
  })

  test('for thinking opens it', async () => {
    await openSession(LONG)
    const heads = () => [...document.querySelectorAll('.thought-head')]
    expect(heads().map((head) => head.ariaExpanded)).not.toContain('true')
    await showOnly('Thinking')
    await whenRead()
    await expect.poll(() => heads().length).toBeGreaterThan(0)
    await expect.poll(() => heads().map((head) => head.ariaExpanded)).not.toContain('false')
  })
})

describe('the list of sessions', () => {
  const rows = () => [...document.querySelectorAll<HTMLAnchorElement>('.session-list .session-row-link')]
  const titles = () => new Set(rows().map((row) => row.textContent))

  test('is narrowed by words of titles, which stand in the address, and comes back with them', async () => {
    await openPage('/?sort=cost')
    await expect.poll(() => rows().length > 10).toBeTruthy()
    await userEvent.fill(page.getByRole('combobox', { name: 'Search or jump to' }), 'rounding')
    await page.getByRole('option', { name: /^Filter titles in this list by “rounding”/ }).click()
    await expect.poll(() => rows().length > 0 && rows().length < 5).toBeTruthy()
    expect([...titles()].join()).toContain('Fix price rounding at checkout')
    expect(window.location.search).toBe('?sort=cost&q=rounding')
    // text that is in no title may be in messages
    await expect
      .element(page.getByRole('link', { name: /^\d+ results for “rounding” in messages$/ }))
      .toBeVisible()
    await page.getByRole('button', { name: 'Remove filter: title contains “rounding”' }).click()
    await expect.poll(() => rows().length > 10).toBeTruthy()
    expect(window.location.search).toBe('?sort=cost')
  })

  test('says what hides everything, and takes it off with one press', async () => {
    await openPage('/?q=nothinghasthisword')
    await expect.element(page.getByText('No matching sessions')).toBeVisible()
    expect(rows()).toEqual([])
    await page.getByRole('button', { name: 'Clear filter' }).click()
    await expect.poll(() => rows().length > 10).toBeTruthy()
  })

  test('offers the other kinds with their numbers: the empty ones are among the conversations already', async () => {
    const kinds = [
      { kind: 'main' as const, sessions: 7 },
      { kind: 'empty' as const, sessions: 2 },
      { kind: 'subagent' as const, sessions: 3 },
    ]
    await cleanup()
    await render(
      <QueryClientProvider client={createQueryClient()}>
        <ListFilter
          search={{}}
          offers={{ models: [], kinds, sources: [], deleted: 0 }}
          project={undefined}
          onChange={() => {}}
        />
      </QueryClientProvider>,
    )
    const options = [...document.querySelectorAll('option')].map(({ textContent }) => textContent)
    expect(options).toEqual(
      expect.arrayContaining(['Sessions', 'Sub-agents (3)', 'Empty (2)', 'Everything (10)']),
    )
  })

  test('has the columns that the reader adds, and keeps them', async () => {
    onTestFinished(() => localStorage.removeItem('gemini-dash.columns'))
    const heads = () => [...document.querySelectorAll('.session-heads th')].map((head) => head.textContent)
    await openPage('/')
    await expect.poll(() => rows().length > 10).toBeTruthy()
    await expect.poll(heads).toEqual(['Title', 'Project', 'Failed', 'Cost', 'Last activity'])
    await page.getByRole('button', { name: 'Display' }).click()
    await page.getByRole('checkbox', { name: 'Tokens' }).click()
    await expect.poll(heads).toEqual(['Title', 'Project', 'Tokens', 'Failed', 'Cost', 'Last activity'])
    const tokens = () =>
      [...document.querySelectorAll('.session-row .of-tokens')].map((cell) => cell.textContent)
    await expect.poll(tokens).toContainEqual(expect.stringMatching(/\d tokens$/))
    await openPage('/p/webshop')
    await expect.poll(() => rows().length > 5).toBeTruthy()
    await expect.poll(heads).toEqual(['Title', 'Tokens', 'Failed', 'Cost', 'Last activity'])
    await page.getByRole('button', { name: 'Display' }).click()
    await page.getByRole('checkbox', { name: 'Tokens' }).click()
  })

  test('knows sessions with errors: as many as the server counts', async () => {
    const { total } = await (await fetch('/api/sessions?has=errors')).json()
    await openPage('/?has=errors', { height: 4_000 })
    await expect.poll(() => new Set(rows().map(({ pathname }) => pathname)).size).toBe(total)
  })

  test('C10: is narrowed to the sessions that called a tool, and to those with attachments', async () => {
    const totalOf = async (query: string) =>
      (await (await fetch(`/api/sessions?empty=exclude&${query}`)).json()).total
    const shown = () => document.querySelector('.scope-sum')?.textContent ?? ''
    await openPage('/')
    await expect.poll(() => rows().length > 10).toBeTruthy()
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByRole('combobox', { name: 'Tool' }).selectOptions('WriteFile')
    await expect.poll(() => window.location.search).toBe('?tool=write_file')
    const ofTool = await totalOf('tool=write_file')
    await expect.poll(shown).toMatch(new RegExp(`^${ofTool} sessions`))
    await page.getByRole('checkbox', { name: 'Has attachments' }).click()
    await expect.poll(() => window.location.search).toBe('?tool=write_file&attachments=yes')
    await userEvent.keyboard('{Escape}')
    await page.getByRole('button', { name: 'Remove filter: tool WriteFile' }).click()
    const attached = await totalOf('attachments=true')
    expect([ofTool, attached].every((total) => total > 0 && total < 39)).toBe(true)
    await expect.poll(shown).toMatch(new RegExp(`^${attached} sessions?`))
  })

  test('C10: has days of one’s own', async () => {
    await openPage('/')
    await expect.poll(() => rows().length > 10).toBeTruthy()
    await page.getByRole('combobox', { name: 'Time' }).selectOptions('Custom range…')
    await userEvent.fill(page.getByLabelText('From', { exact: true }), '2026-11-10')
    await userEvent.fill(page.getByLabelText('To', { exact: true }), '2026-11-12')
    await expect.poll(() => window.location.search).toBe('?from=2026-11-10&to=2026-11-13')
    const { total } = await (await fetch('/api/sessions?empty=exclude&from=2026-11-10&to=2026-11-13')).json()
    expect(total).toBeGreaterThan(0)
    await expect
      .poll(() => document.querySelector('.scope-sum')?.textContent)
      .toMatch(new RegExp(`^${total} sessions?`))
    await page.getByRole('combobox', { name: 'Time' }).selectOptions('All time')
    await expect.poll(() => window.location.search).toBe('')
    expect(page.getByLabelText('From', { exact: true }).elements()).toEqual([])
  })
})
