import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { askMessages, LONG, ROUNDING } from './ask-server.ts'
import { drawn, openSession, whenRead } from './open-page.tsx'

const TALL = { width: 1440, height: 6_000 }
/** Several references to one session: state of other tests in this tab is stored per reference. */
const ONE_BY_ONE = ROUNDING.slice(0, 15)
const AT_ONCE = ROUNDING.slice(0, 16)
const NAMES = ['New input', 'Cached input', 'Output', 'Thinking', 'Tool', 'Total']

describe('tokens of a message', () => {
  test.each([
    ['by focus', (article: HTMLElement) => article.focus()],
    ['by a tap', (article: HTMLElement) => userEvent.click(article.querySelector('.prose') ?? article)],
    [
      'by pointing',
      (article: HTMLElement) => userEvent.hover(article.querySelector('.margin-line') ?? article),
    ],
  ])('are all told %s, beside its input', async (_how, reach) => {
    const messages = await askMessages(ROUNDING, { limit: 100 })
    await openSession(ROUNDING, '', TALL)
    const article = drawn().find((each) => each.querySelector('.entry.model .margin-figure') !== null)
    if (article === undefined) throw new Error('no answer is drawn')
    const message = messages.find(({ key }) => key === article.dataset.messageKey)
    const { input = 0, cached = 0, output = 0, thoughts = 0, tool = 0, total = 0 } = message?.usage ?? {}
    expect(input).toBeGreaterThan(0)
    expect(article.querySelector('.margin-figure')?.textContent).toMatch(/^[\d.]+k? in/)
    expect(article.querySelector('.figure-panel')?.checkVisibility() ?? false).toBe(false)
    await reach(article)
    await expect.poll(() => article.querySelector('.figure-panel')?.checkVisibility()).toBe(true)
    const told = (name: string) =>
      [...article.querySelectorAll('.figure-panel tr')].find(
        (row) => row.querySelector('th')?.textContent === name,
      )?.lastElementChild?.textContent
    const figures = [input - cached, cached, output, thoughts, tool, total]
    expect(NAMES.map(told)).toEqual(figures.map((figure) => figure.toLocaleString('en')))
  })

  test('of a turn are told where its prompt has the focus', async () => {
    await openSession(ROUNDING, '', TALL)
    const prompt = drawn().find((each) => each.dataset.voice === 'you')
    prompt?.focus()
    await expect
      .poll(() => prompt?.querySelector('.figure-panel')?.textContent)
      .toMatch(/Turn 1.*Requests.*Total/s)
  })

  test('its menu is there for who points at it or comes by the keyboard, and only there', async () => {
    await openSession(ROUNDING, '', TALL)
    const menus = () => [...document.querySelectorAll<HTMLElement>('.message-actions > button')]
    await userEvent.hover(page.getByRole('heading', { level: 1 }))
    ;(document.activeElement as HTMLElement).blur()
    await expect.poll(() => menus().length).toBe(0)
    // nothing else in it can take the focus
    drawn()
      .find((article) => article.querySelector('button') === null)
      ?.focus()
    await expect.poll(() => menus().length).toBe(1)
    await userEvent.keyboard('{Tab}')
    expect(document.activeElement).toBe(menus()[0])
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByRole('button', { name: 'Raw record' })).toBeVisible()
  })
})

test('calls that follow each other without a word are one card with a line each', async () => {
  const messages = await askMessages(LONG, { limit: 20 })
  await openSession(LONG)
  const racks = () =>
    drawn()
      .slice(0, 5)
      .flatMap((article) => [...article.querySelectorAll('.tool-rack')])
      .map((rack) => rack.getBoundingClientRect())
  expect(racks()).toHaveLength(4)
  // rows are positioned by heights that are measured after drawing
  const gaps = () =>
    racks().map((box, index, boxes) => Math.round(box.top - (boxes[index - 1]?.bottom ?? box.top)))
  await expect.poll(gaps).toEqual([0, 0, 0, 0])
  for (const box of racks()) expect(box.height).toBeLessThan(33)
  const requests = messages.slice(1, 5).map(({ usage }) => usage?.input ?? 0)
  const sum = requests.reduce((total, input) => total + input, 0)
  const figure = () => document.querySelector('.run-first .margin-figure')?.textContent
  await expect.poll(figure).toContain(`${(sum / 1000).toFixed(1)}k in`)
})

describe('thoughts', () => {
  const OPEN = '.thought-head[aria-expanded="true"]'
  const heads = () => [...document.querySelectorAll<HTMLElement>('.thought-head')]

  test('are folded one by one, and each of several by itself', async () => {
    await openSession(ONE_BY_ONE, '', TALL)
    expect(heads().length).toBeGreaterThan(3)
    heads()[0]?.click()
    await whenRead()
    expect(document.querySelectorAll(OPEN)).toHaveLength(1)
    const [one, other] = [...document.querySelectorAll<HTMLElement>('.one-thought-head')]
    one?.click()
    await whenRead()
    expect([one?.ariaExpanded, other?.ariaExpanded]).toEqual(['false', 'true'])
    heads()[0]?.click()
    await whenRead()
    expect(document.querySelectorAll(OPEN)).toHaveLength(0)
  })

  test('are opened and folded all at once by a key', async () => {
    await openSession(AT_ONCE, '', TALL)
    await userEvent.keyboard('{Shift>}t{/Shift}')
    await whenRead()
    expect(new Set(heads().map(({ ariaExpanded }) => ariaExpanded))).toEqual(new Set(['true']))
    await userEvent.keyboard('{Shift>}t{/Shift}')
    await whenRead()
    expect(new Set(heads().map(({ ariaExpanded }) => ariaExpanded))).toEqual(new Set(['false']))
  })
})
