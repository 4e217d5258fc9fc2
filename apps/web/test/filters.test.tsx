import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { askDetail, askMap, askMessages, LONG, ROUNDING } from './ask-server.ts'
import { drawn, openPage, openSession, whenRead } from './open-page.tsx'

const chip = (name: string) => page.getByRole('group', { name: 'Show' }).getByRole('button', { name })
const pressed = () =>
  [...document.querySelectorAll('.filter-bar .chip[aria-pressed="true"]')].map((each) => each.textContent)

const CHIPS = [
  ['errors', 'Errors'],
  ['edits', 'Edits'],
  ['shell', 'Shell'],
  ['dialogue', 'Prompts and answers'],
  ['thoughts', 'Thoughts'],
] as const

describe('a filter of messages', () => {
  test('of each chip leaves what the chip counts, and that alone is drawn', async () => {
    const { counts } = await askMap(ROUNDING)
    const { messageTotal } = await askDetail(ROUNDING)
    await openSession(ROUNDING, '', { height: 6_000 })
    for (const [show, name] of CHIPS) {
      const kept = await askMessages(ROUNDING, { show, limit: 100 })
      await expect.element(chip(name)).toHaveTextContent(`${name}${kept.length}`)
      expect([show, counts[show]]).toEqual([show, kept.length])
      await chip(name).click()
      const said = `${kept.length} of ${messageTotal} messages: ${name.toLowerCase()}`
      await expect.element(page.getByRole('status').filter({ hasText: said })).toBeVisible()
      await whenRead()
      for (const fold of document.querySelectorAll<HTMLElement>('.fold-head[aria-expanded="false"]'))
        fold.click()
      await expect.poll(() => drawn().length).toBe(kept.length)
      expect(drawn().map(({ id }) => id)).toEqual(kept.map(({ key }) => `m-${key}`))
      expect(window.location.search).toBe(`?show=${show}`)
      expect(pressed()).toEqual([`${name}${kept.length}`])
      // messages keep the places that they have in the whole
      expect(drawn().at(-1)?.ariaSetSize).toBe(String(messageTotal))
    }
  })

  test.each(['the chip once more', 'Show all'])('is taken off by %s', async (by) => {
    await openSession(LONG, '?show=errors')
    await (by === 'Show all' ? page.getByRole('button', { name: by }) : chip('Errors')).click()
    await expect.poll(pressed).toEqual([expect.stringMatching(/^All/)])
    await expect.poll(() => window.location.search).toBe('')
  })

  test('for thoughts opens them', async () => {
    await openSession(LONG)
    const heads = () => [...document.querySelectorAll('.thought-head')]
    expect(heads().map((head) => head.ariaExpanded)).not.toContain('true')
    await chip('Thoughts').click()
    await whenRead()
    expect(heads().length).toBeGreaterThan(0)
    expect(heads().map((head) => head.ariaExpanded)).not.toContain('false')
  })
})

describe('the list of sessions', () => {
  const rows = () => [...document.querySelectorAll<HTMLAnchorElement>('.session-list .session-row-link')]
  const titles = () => new Set(rows().map((row) => row.textContent))

  test('is narrowed by words of titles, which stand in the address, and comes back with them', async () => {
    await openPage('/')
    await expect.poll(() => rows().length).toBeGreaterThan(10)
    await userEvent.fill(page.getByRole('searchbox', { name: 'Filter by title' }), 'rounding')
    await expect.poll(() => rows().length > 0 && rows().length < 5).toBe(true)
    expect([...titles()].join()).toContain('Fix price rounding at checkout')
    expect(window.location.search).toBe('?q=rounding')
    await userEvent.clear(page.getByRole('searchbox', { name: 'Filter by title' }))
    await expect.poll(() => rows().length).toBeGreaterThan(10)
    expect(window.location.search).toBe('')
  })

  test('says what hides everything, and takes it off with one press', async () => {
    await openPage('/?q=nothinghasthisword')
    await expect.element(page.getByText(/No session/)).toBeVisible()
    expect(rows()).toEqual([])
  })

  test('knows sessions with errors: as many as the server counts', async () => {
    const { total } = await (await fetch('/api/sessions?has=errors')).json()
    await openPage('/?has=errors', { height: 4_000 })
    await expect.poll(() => new Set(rows().map(({ pathname }) => pathname)).size).toBe(total)
  })
})
