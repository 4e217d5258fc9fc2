import { beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { askDetail, askMap, askMessages, ROUNDING } from './ask-server.ts'
import { openPage, openSession, whenRead } from './open-page.tsx'

const press = async (keys: string) => {
  await userEvent.keyboard(keys)
  await whenRead()
}
const focusedOffset = () => Number(document.activeElement?.closest('article')?.ariaPosInSet) - 1
const placesOf = (letters: string, wanted: string) =>
  [...letters].flatMap((letter, offset) => (wanted.includes(letter) ? [offset] : []))

describe('keys of a session', () => {
  beforeEach(async () => {
    await openSession(ROUNDING)
  })

  test('j and k go by message, one at a time', async () => {
    await press('j')
    expect(focusedOffset()).toBe(0)
    await press('j')
    await press('j')
    expect(focusedOffset()).toBe(2)
    await press('k')
    expect(focusedOffset()).toBe(1)
  })

  test('Shift+J and Shift+K go by prompt', async () => {
    const turns = (await askDetail(ROUNDING)).outline.filter(({ number }) => number > 0)
    const prompts = turns.map(({ firstOffset }) => firstOffset).filter((offset) => offset > 0)
    await press('{Shift>}j{/Shift}')
    expect(focusedOffset()).toBe(prompts[0])
    await press('{Shift>}j{/Shift}')
    expect(focusedOffset()).toBe(prompts[1])
    await press('{Shift>}k{/Shift}')
    expect(focusedOffset()).toBe(prompts[0])
  })

  test('a goes by answer, e by error, and back with Shift', async () => {
    const { voices, marks } = await askMap(ROUNDING)
    const answers = placesOf(voices, 'a').filter((offset) => offset > 0)
    const errors = placesOf(marks, '13')
    await press('a')
    expect(focusedOffset()).toBe(answers[0])
    await press('a')
    expect(focusedOffset()).toBe(answers[1])
    await press('{Shift>}a{/Shift}')
    expect(focusedOffset()).toBe(answers[0])
    await press('e')
    expect(focusedOffset()).toBe(errors.find((offset) => offset > (answers[0] ?? 0)))
  })

  test('t opens and closes the thoughts of the message here, x its calls', async () => {
    const messages = await askMessages(ROUNDING, { limit: 100 })
    const offset = messages.findIndex(
      ({ thoughts, toolCalls }) => thoughts.length > 0 && toolCalls.length > 0,
    )
    for (let at = -1; at < offset; at += 1) await press('j')
    const article = document.activeElement?.closest('article')
    const expanded = (what: string) =>
      [...(article?.querySelectorAll(what) ?? [])].map((head) => head.ariaExpanded)
    await press('t')
    expect(expanded('.thought-head')).toEqual(['true'])
    await press('t')
    expect(expanded('.thought-head')).toEqual(['false'])
    await press('x')
    expect(new Set(expanded('.call-head'))).toEqual(new Set(['true']))
    await press('x')
    expect(new Set(expanded('.call-head'))).toEqual(new Set(['false']))
  })

  test('Shift+G goes to the end, g g to the start', async () => {
    await press('{Shift>}g{/Shift}')
    await expect
      .poll(() => document.documentElement.scrollHeight - window.scrollY - window.innerHeight)
      .toBeCloseTo(0, -1)
    expect(window.scrollY).toBeGreaterThan(1_000)
    await press('gg')
    expect(window.scrollY).toBe(0)
  })

  test('f finds: n and N walk the messages that were found, Escape closes', async () => {
    await press('f')
    const box = page.getByRole('textbox', { name: 'Find in this session' })
    await expect.element(box).toHaveFocus()
    await userEvent.keyboard('rounding')
    // its text changes, so it is queried each time
    const count = () => document.querySelector('.find-count')?.textContent
    await expect.poll(count).toMatch(/^5 results$|^1–2 of 5$/)
    ;(document.activeElement as HTMLElement).blur()
    await press('n')
    await expect.poll(count).toBe('1–2 of 5')
    await press('n')
    await expect.poll(count).toBe('3 of 5')
    await press('{Shift>}n{/Shift}')
    await expect.poll(count).toBe('1–2 of 5')
    await userEvent.click(box)
    await press('{Escape}')
    await expect.poll(count).toBeUndefined()
    await expect.element(page.getByRole('combobox', { name: 'Search or jump to' })).toHaveValue('')
    expect(document.activeElement?.closest('article')).not.toBeNull()
  })

  test('the box of the find leads to everything, and comes back to the session', async () => {
    await press('f')
    const box = page.getByRole('textbox', { name: 'Find in this session' })
    await userEvent.keyboard('rounding')
    await expect.poll(() => document.querySelector('.find-count')?.textContent).toMatch(/results|of/)
    // the text of the search in the session is restored after a jump
    await press('{Control>}k{/Control}')
    const jump = page.getByRole('combobox', { name: 'Search or jump to' })
    await expect.element(jump).toHaveValue('')
    await press('{Escape}')
    await expect.element(box).toHaveValue('rounding')
    await userEvent.click(page.getByRole('button', { name: 'Search everywhere instead of In this session' }))
    await expect.element(jump).toHaveValue('rounding')
    await expect.element(page.getByRole('option', { name: /^See all \d+ results/ })).toBeVisible()
    expect(window.location.search).toBe('')
    expect(document.querySelectorAll('.find-count')).toHaveLength(0)
  })
})

describe('a key pressed twice before anything is drawn', () => {
  /** Both keys in one task, as after a busy period of the page. */
  const twice = (key: string) => {
    for (let count = 0; count < 2; count += 1) {
      const target = document.activeElement ?? document.body
      target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    }
  }
  const text = (selector: string) => {
    const element = document.querySelector(selector)
    return element?.getAttribute('aria-valuetext') ?? element?.textContent ?? ''
  }

  test('goes two messages on, two hits, and two rows of the list', async () => {
    await openSession(ROUNDING)
    for (const [key, offset] of [
      ['j', 1],
      ['j', 3],
      ['k', 1],
    ] as const) {
      twice(key)
      await expect.poll(focusedOffset).toBe(offset)
      await whenRead()
    }
    await openSession(ROUNDING, '?q=rounding')
    await expect.poll(() => text('.find-count')).toBe('5 results')
    twice('n')
    await expect.poll(() => text('.find-count')).toBe('3 of 5')
    await openPage('/')
    await expect.element(page.getByRole('link', { name: 'Fix price rounding at checkout' })).toBeVisible()
    twice('j')
    const rows = () => [...document.querySelectorAll('.session-list .session-row')]
    await expect.poll(() => rows().findIndex((row) => row.classList.contains('selected'))).toBe(1)
  })

  test.each([
    ['', '.strip-plot', 'ArrowLeft', '.strip-plot'],
    ['?view=cost', '.context-plot', 'ArrowLeft', '.context-readout'],
  ])('goes two steps in %s %s', async (rest, plot, key, told) => {
    await openPage(`/s/${ROUNDING}${rest}`)
    let focused: Element | null = null
    await expect
      .poll(
        () => {
          const isKept = focused !== null && document.activeElement === focused
          focused = document.querySelector(`${plot}:has(svg)`)
          if (focused instanceof HTMLElement) focused.focus()
          return isKept && document.querySelector('.skeleton') === null
        },
        { interval: 100 },
      )
      .toBeTruthy()
    const start = key === 'ArrowLeft' ? '{End}' : '{Home}'
    const seen: string[] = []
    for (const next of [start, `{${key}}`, `{${key}}`]) {
      await userEvent.keyboard(next)
      await expect.poll(() => text(told) !== '' && text(told) !== seen.at(-1)).toBeTruthy()
      seen.push(text(told))
    }
    await userEvent.keyboard(start)
    await expect.poll(() => text(told)).toBe(seen[0])
    twice(key)
    await expect.poll(() => text(told)).toBe(seen[2])
  })
})

describe('keys everywhere', () => {
  test('never act while somebody types, nor with a modifier', async () => {
    await openPage('/')
    const box = page.getByRole('combobox', { name: 'Search or jump to' })
    await userEvent.click(box)
    await userEvent.keyboard('gu?')
    await expect.element(box).toHaveValue('gu?')
    expect(document.querySelector('dialog[open]')).toBeNull()
    expect(window.location.pathname).toBe('/')
    ;(document.activeElement as HTMLElement).blur()
    await userEvent.keyboard('{Control>}g{/Control}{Alt>}u{/Alt}')
    expect(window.location.pathname).toBe('/')
  })

  test('? shows every key that does something; g u and g h lead to pages; / to the search', async () => {
    await openPage('/')
    await userEvent.keyboard('{Shift>}?{/Shift}')
    await expect.element(page.getByRole('dialog')).toHaveTextContent('Next prompt of the session')
    await userEvent.keyboard('{Escape}')
    await expect.poll(() => document.querySelector('dialog[open]')).toBeNull()
    await userEvent.keyboard('gu')
    await expect.poll(() => window.location.pathname).toBe('/usage')
    await userEvent.keyboard('gh')
    await expect.poll(() => window.location.pathname).toBe('/')
    await userEvent.keyboard('/')
    await expect.poll(() => document.activeElement?.role === 'combobox').toBeTruthy()
  })

  test('j, k and Enter go through the list of sessions and open one', async () => {
    await openPage('/')
    await expect.element(page.getByRole('link', { name: 'Fix price rounding at checkout' })).toBeVisible()
    const rows = () => [...document.querySelectorAll('.session-list .session-row')]
    const place = () => rows().findIndex((row) => row.classList.contains('selected'))
    await userEvent.keyboard('j')
    await expect.poll(place).toBe(0)
    await userEvent.keyboard('jjk')
    await expect.poll(place).toBe(1)
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => window.location.pathname.startsWith('/s/')).toBeTruthy()
  })
})
