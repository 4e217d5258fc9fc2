import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { askMessages, LONG, ROUNDING } from './ask-server.ts'
import { drawn, drawnOffsets, openPage, openSession, whenLedTo, whenRead } from './open-page.tsx'

const TALL = { height: 6_000 }
/** Several references to one session: state of other tests in this tab is stored per reference. */
const FOLDED = ROUNDING.slice(0, 13)
const WITH_CALLS = ROUNDING.slice(0, 18)
const REVISITED = ROUNDING.slice(0, 23)
const SOUGHT = ROUNDING.slice(0, 28)

describe('what the CLI took back', () => {
  test('is one line, and all of its messages when it is opened', async () => {
    const messages = await askMessages(ROUNDING, { limit: 100 })
    const rewound = messages.flatMap(({ superseded }, offset) => (superseded === 'rewound' ? [offset] : []))
    await openSession(FOLDED, '', TALL)
    const head = page.getByRole('button', { name: /rewound/ })
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
  const thought = () => page.getByRole('button', { name: /^Thinking Investigating/ }).first()

  test('stay open for who comes back to the session in this tab', async () => {
    await openSession(REVISITED)
    await thought().click()
    await expect.element(page.getByText('The sum of three floats is not exact.')).toBeVisible()
    await openPage('/')
    await openSession(REVISITED)
    await expect.element(page.getByText('The sum of three floats is not exact.')).toBeVisible()
    await page
      .getByRole('button', { name: /^Thinking/, expanded: true })
      .first()
      .click()
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

describe('the browser’s own find', () => {
  const callFind = async () => {
    await userEvent.keyboard('{Control>}f{/Control}')
    await whenRead()
  }
  const folded = () => [...document.querySelectorAll<HTMLElement>('[hidden="until-found"]')]

  test('can see what is folded once it is called, and opens what it finds where it stands', async () => {
    await openSession(SOUGHT, '', TALL)
    expect(folded()).toEqual([])
    const tops = () => drawn().map((article) => Math.round(article.getBoundingClientRect().top))
    const before = tops()
    await callFind()
    // everything stays in place; messages drawn below moved nothing
    expect(tops().slice(0, before.length)).toEqual(before)
    const thought = folded().find(({ textContent }) => textContent.includes('The sum of three floats'))
    expect(thought?.checkVisibility()).toBe(true)
    const words = thought?.querySelector('p')
    // as the browser does before it scrolls to a match
    words?.dispatchEvent(new Event('beforematch', { bubbles: true }))
    await expect.element(page.getByText('The sum of three floats is not exact.')).toBeVisible()
    expect(thought?.contains(words ?? null)).toBe(true)
    expect(thought?.hasAttribute('hidden')).toBe(false)
    expect(thought?.closest('.entry')?.querySelector('.thought-head')?.ariaExpanded).toBe('true')
  })

  test('is told at its first call that it sees what is near, and which key finds everywhere', async () => {
    // as if from another tab: an earlier test may have shown the hint, which this tab remembers
    localStorage.removeItem('gemini-dash.find-hint')
    window.dispatchEvent(new StorageEvent('storage', { key: 'gemini-dash.find-hint' }))
    const hint = page.getByText('Press f to find in the whole session.')
    await openSession(LONG)
    await callFind()
    await expect.element(hint).toBeVisible()
    await page.getByRole('button', { name: 'Find in this session' }).last().click()
    await expect.element(page.getByRole('textbox', { name: 'Find in this session' })).toHaveFocus()
    expect(hint.elements()).toEqual([])
    await callFind()
    expect(hint.elements()).toEqual([])
  })
})

test('what is selected is copied as who spoke and what was said, without buttons and figures', async () => {
  await openSession(ROUNDING, '', TALL)
  const conversation = document.querySelector('.conversation')
  if (conversation === null) throw new Error('no conversation is drawn')
  expect(conversation.querySelector('.code-block > header')?.textContent).toMatch(/Copy/)
  expect(conversation.querySelector('.margin-figure')?.textContent).toMatch(/^Turn 1/)
  window.getSelection()?.selectAllChildren(conversation)
  const lines = String(window.getSelection()).split(/\n+/)
  window.getSelection()?.removeAllRanges()
  expect(lines.join('\n')).toMatch(/^You The cart shows/m)
  expect(lines.join('\n')).toMatch(/^Gemini\s+I will read the price code/m)
  expect(
    lines.filter((line) => /\bCopy\b|input tokens|\d in$|^Turn \d+ ·|^js$|^Unified$/.test(line)),
  ).toEqual([])
})
