import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { askMap, LONG, messageAt, ROUNDING } from './ask-server.ts'
import { startLiveLog } from './live-log.ts'
import { drawn, openPage, openSession, whenLedTo, whenRead } from './open-page.tsx'

const isInSight = (element: Element | null) => {
  const { top = -1, bottom = 0 } = element?.getBoundingClientRect() ?? {}
  return top >= 0 && top < window.innerHeight && bottom > 0
}

describe('a session opens', () => {
  test.each([ROUNDING, LONG])('at its top: %s', async (ref) => {
    await openSession(ref)
    expect(window.scrollY).toBe(0)
    expect(isInSight(document.querySelector('h1'))).toBe(true)
    expect(document.querySelector('.message.flashing')).toBeNull()
    expect(document.querySelector('.main-nav > [aria-current]')?.textContent).toBe('Sessions')
  })

  test('at the message that is linked, which has the focus and flashes, however far down it stands', async () => {
    const { key } = await messageAt(LONG, 273)
    await openSession(LONG, `#m-${key}`)
    const article = await whenLedTo(key)
    expect(article.getBoundingClientRect().top).toBeCloseTo(window.innerHeight / 3, -1)
    expect(article.classList).toContain('flashing')
  })

  test('at the message that a search hit, with its words marked', async () => {
    const { key } = await messageAt(ROUNDING, 1)
    await openSession(ROUNDING, `?q=rounding&hit=${encodeURIComponent(key)}`)
    expect(isInSight(await whenLedTo(key))).toBe(true)
    const marked = () =>
      [...document.querySelectorAll('.conversation mark')].map((mark) => mark.textContent?.toLowerCase())
    // results arrive without further input
    await expect.poll(marked).toContain('rounding')
  })

  test('at its top, and says so, where the linked message is not there', async () => {
    await openSession(ROUNDING, '#m-nobody')
    await expect.element(page.getByText('That message is no longer in this session')).toBeVisible()
    expect(window.scrollY).toBe(0)
  })

  test('with all messages where the filter leaves the linked one out, and says so', async () => {
    const { marks, voices } = await askMap(ROUNDING)
    const offset = [...voices].findIndex((voice, at) => voice === 'a' && !'13'.includes(marks[at] ?? ''))
    const { key } = await messageAt(ROUNDING, offset)
    await openSession(ROUNDING, `?show=errors#m-${key}`)
    await expect.element(page.getByText(/The filter “Failed” is off/)).toBeInTheDocument()
    expect(isInSight(await whenLedTo(key))).toBe(true)
    expect(window.location.search).toBe('')
  })

  test('where the reader left it, when they come back', async () => {
    const router = await openPage('/')
    await expect.element(page.getByRole('link', { name: 'Port the importer from Python 3.8' })).toBeVisible()
    await router.navigate({ to: '/s/$key', params: { key: LONG } })
    await whenRead()
    window.scrollTo({ top: 4_000, behavior: 'instant' })
    await whenRead()
    const [left] = drawn().filter(isInSight)
    const top = left?.getBoundingClientRect().top ?? 0
    await router.navigate({ to: '/usage' })
    await expect.element(page.getByRole('heading', { name: 'Usage', level: 1 })).toBeInTheDocument()
    window.history.back()
    await expect.poll(() => document.getElementById(left?.id ?? '')).not.toBeNull()
    await whenRead()
    expect(document.getElementById(left?.id ?? '')?.getBoundingClientRect().top).toBeCloseTo(top, -1)
    expect(window.scrollY).toBeGreaterThan(2_000)
  })
})

describe('the end is held', () => {
  test('only once the reader went there: a short session that grows stays at its top', async () => {
    const log = await startLiveLog(1)
    await openSession(log.id)
    await log.answer(6, 40)
    await expect.element(page.getByRole('button', { name: '6 new messages' })).toBeVisible()
    await whenRead()
    expect(window.scrollY).toBe(0)
    expect(isInSight(document.querySelector('h1'))).toBe(true)
  })

  test.each(['by its key', 'by scrolling'])(
    'from then on, %s, until the reader goes away from it',
    async (how) => {
      const log = await startLiveLog(8)
      await openSession(log.id)
      if (how === 'by its key') await userEvent.keyboard('{Shift>}g{/Shift}')
      else await scrollToEnd()
      await whenRead()
      await log.answer(3, 8)
      await expect
        .poll(() => isInSight(drawn().at(-1) ?? null) && drawn().at(-1)?.ariaPosInSet === '19')
        .toBeTruthy()
      await expect.element(page.getByRole('button', { name: 'Following; pause' })).toBeVisible()

      window.scrollTo({ top: 200, behavior: 'instant' })
      await whenRead()
      const before = window.scrollY
      await log.answer(2, 8)
      await expect.element(page.getByRole('button', { name: '2 new messages' })).toBeVisible()
      expect(window.scrollY).toBeCloseTo(before, -1)
    },
  )
})

/** Scrolls like a reader: new rows get their heights, which moves the end. */
async function scrollToEnd(): Promise<void> {
  await expect
    .poll(() => {
      const left = document.documentElement.scrollHeight - window.innerHeight - window.scrollY
      window.scrollBy({ top: left, behavior: 'instant' })
      return left
    })
    .toBeLessThan(1)
}
