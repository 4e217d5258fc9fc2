import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { askMessages, ROUNDING } from './ask-server.ts'
import { drawn, drawnOffsets, openPage, openSession, whenLedTo, whenRead } from './open-page.tsx'

const TALL = { height: 6_000 }
/** The same session under names of its own: what other tests opened in this tab is kept by name. */
const FOLDED = ROUNDING.slice(0, 13)
const WITH_CALLS = ROUNDING.slice(0, 18)
const REVISITED = ROUNDING.slice(0, 23)

describe('what the CLI took back', () => {
  test('is one line, and all of its messages when it is opened', async () => {
    const messages = await askMessages(ROUNDING, { limit: 100 })
    const rewound = messages.flatMap(({ superseded }, offset) => (superseded === 'rewound' ? [offset] : []))
    await openSession(FOLDED, '', TALL)
    const head = page.getByRole('button', { name: /taken back/ })
    await expect.element(head).toHaveAttribute('aria-expanded', 'false')
    await expect.element(head).toHaveTextContent(`${rewound.length} messages`)
    expect(drawnOffsets().filter((offset) => rewound.includes(offset))).toEqual([])
    await head.click()
    await whenRead()
    expect(drawnOffsets().filter((offset) => rewound.includes(offset))).toEqual(rewound)
    await head.click()
    await whenRead()
    expect(drawnOffsets().filter((offset) => rewound.includes(offset))).toEqual([])
  })

  test('opens by itself for a link into it', async () => {
    const messages = await askMessages(ROUNDING, { limit: 100 })
    const rewound = messages.find(({ superseded }) => superseded === 'rewound')
    await openSession(ROUNDING, `#m-${rewound?.key}`)
    const led = await whenLedTo(String(rewound?.key))
    expect(drawn()).toContain(led)
  })
})

describe('thoughts and calls', () => {
  const thought = () => page.getByRole('button', { name: /^2 thoughts/ }).first()

  test('stay open for who comes back to the session in this tab', async () => {
    await openSession(REVISITED)
    await thought().click()
    await expect.element(page.getByText('The sum of three floats is not exact.')).toBeVisible()
    await openPage('/')
    await openSession(REVISITED)
    await expect.element(page.getByText('The sum of three floats is not exact.')).toBeVisible()
    await thought().click()
    expect(page.getByText('The sum of three floats is not exact.').elements()).toEqual([])
  })

  test('a failed call is open at first, one that went well is closed', async () => {
    await openSession(WITH_CALLS, '', TALL)
    const heads = [...document.querySelectorAll('.call .call-head')]
    const stateOf = (head: Element) => head.closest('.call')?.classList.contains('failed')
    expect(heads.some(stateOf)).toBe(true)
    for (const head of heads) expect(head.ariaExpanded).toBe(String(stateOf(head)))
  })

  test('opening one moves nothing above it', async () => {
    await openSession(ROUNDING)
    window.scrollTo({ top: 700, behavior: 'instant' })
    await whenRead()
    const head = [...document.querySelectorAll<HTMLElement>('.call-head[aria-expanded="false"]')].find(
      (each) => each.getBoundingClientRect().top > 300,
    )
    const before = head?.getBoundingClientRect().top ?? 0
    head?.focus()
    await userEvent.keyboard('{Enter}')
    await whenRead()
    expect(head?.ariaExpanded).toBe('true')
    expect(head?.getBoundingClientRect().top).toBeCloseTo(before, 0)
  })
})
