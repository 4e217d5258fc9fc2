import { apiPaths } from '@gemini-dash/api/paths'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { runAction } from '../src/lib/use-actions.ts'
import { messageAt, ROUNDING } from './ask-server.ts'
import { openPage, openSession, showOnly } from './open-page.tsx'

const ask = window.fetch.bind(window)
const said = () => document.getElementById('said')?.textContent ?? ''
const GONE = 'gemini-dash does not answer. It may have been stopped.'

/** Holds requests to this address until released, which fails them as if the server were gone. */
function hold(method: string, path: RegExp) {
  const held: (() => void)[] = []
  vi.stubGlobal('fetch', (asked: string, options: RequestInit = {}) => {
    if ((options.method ?? 'GET') !== method || !path.test(asked)) return ask(asked, options)
    return new Promise((_, fail) => held.push(() => fail(new TypeError('Failed to fetch'))))
  })
  return {
    isAsked: () => expect.poll(() => held.length > 0).toBeTruthy(),
    letGo: async () => {
      // a request queued behind the previous one starts only then
      for (let count = 0; count < 3; count += 1) {
        for (const fail of held.splice(0)) fail()
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
  }
}

/** A change made by the user outside the page. */
const put = (path: string, body: object) =>
  ask(path, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('where the server does not answer', () => {
  const isStarred = () => document.querySelector('.session-row .row-star') !== null

  test('a star that was set and taken back at once is as it was, and it is said why', async () => {
    await openPage('/')
    await expect.element(page.getByRole('link', { name: 'Fix price rounding at checkout' })).toBeVisible()
    const { isAsked, letGo } = hold('PUT', /marks/)
    await userEvent.keyboard('js')
    await expect.poll(isStarred).toBe(true)
    await userEvent.keyboard('s')
    await expect.poll(isStarred).toBe(false)
    await isAsked()
    await letGo()
    await expect.poll(said).toBe(GONE)
    expect(isStarred()).toBe(false)
  })

  test('a computer that is offline asks it all the same', async () => {
    await openPage('/')
    await expect.element(page.getByRole('link', { name: 'Fix price rounding at checkout' })).toBeVisible()
    const { isAsked, letGo } = hold('PUT', /marks/)
    window.dispatchEvent(new Event('offline'))
    await userEvent.keyboard('js')
    await isAsked()
    await letGo()
    window.dispatchEvent(new Event('online'))
    await expect.poll(said).toBe(GONE)
  })

  test('the name of a view stays in its dialog, which Escape does not close meanwhile', async () => {
    await openPage('/?has=errors')
    runAction('saveView')
    const dialog = page.getByRole('dialog', { name: 'Save this view' })
    await userEvent.fill(dialog.getByLabelText('Name of the view'), 'Failed')
    const { isAsked, letGo } = hold('PUT', /views/)
    await userEvent.keyboard('{Enter}')
    await isAsked()
    await userEvent.keyboard('{Escape}')
    await letGo()
    await expect.element(dialog).toHaveTextContent(GONE)
    await expect.element(dialog.getByLabelText('Name of the view')).toHaveValue('Failed')
  })

  test('a message that is not copied says that it is for this', async () => {
    await openSession(ROUNDING)
    await userEvent.keyboard('j')
    const { isAsked, letGo } = hold('GET', /transcript/)
    await userEvent.keyboard('c')
    await isAsked()
    await letGo()
    await expect.poll(said).toBe(`Not copied: ${GONE}`)
  })

  test('the usage as CSV does not lead away from the page', async () => {
    await openPage('/usage')
    await expect.element(page.getByRole('heading', { name: 'Usage', level: 1 })).toBeVisible()
    await expect.poll(() => runAction('exportUsage')).toBeTruthy()
    const { isAsked, letGo } = hold('GET', /format=csv/)
    await page.getByRole('button', { name: 'Days as CSV' }).click()
    await isAsked()
    await letGo()
    await expect.poll(said).toBe(GONE)
  })
})

test.each([
  ['keeps nothing', ['getItem', 'setItem', 'removeItem'] as const],
  ['has no room left', ['setItem'] as const],
])('a note that was begun comes back where the browser %s', async (_, refused) => {
  for (const name of refused)
    vi.spyOn(Storage.prototype, name).mockImplementation(() => {
      throw new DOMException('not allowed', 'SecurityError')
    })
  await openSession(ROUNDING)
  const note = page.getByRole('textbox', { name: 'Note' })
  runAction('noteSession')
  await userEvent.fill(note, 'half a tho')
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => document.querySelector('dialog')).toBeNull()
  runAction('noteSession')
  await expect.element(note).toHaveValue('half a tho')
  await page.getByRole('button', { name: 'Cancel' }).click()
})

test('a marked message that cannot be read just now is not told to be gone', async () => {
  const { key } = await messageAt(ROUNDING, 2)
  const star = (isStarred: boolean) => put(apiPaths.messageMark(ROUNDING, key), { star: isStarred })
  await star(true)
  onTestFinished(async () => void (await star(false)))
  vi.stubGlobal('fetch', (asked: string, options?: RequestInit) =>
    /messages\?.*limit=1$/.test(asked)
      ? Promise.resolve(new Response('', { status: 500 }))
      : ask(asked, options),
  )
  await openSession(ROUNDING)
  await showOnly('Starred and noted')
  const marked = page.getByRole('navigation', { name: 'Marked messages' })
  await expect.element(marked).toHaveTextContent('It could not be read: The server answered 500.')
})

describe('views of the reader', () => {
  const NAMES = ['One', 'Two', 'Three']

  beforeEach(async () => {
    await put('/api/views', { views: NAMES.map((name) => ({ name, href: `/?q=${name}` })) })
    return async () => void (await put('/api/views', { views: [] }))
  })

  test('removed in quick succession are gone, and no other; the focus goes on to what is left', async () => {
    await openPage('/')
    const remove = (name: string) => page.getByRole('button', { name: `Remove the view ${name}` })
    await expect.element(remove('Three')).toBeInTheDocument()
    // before the first answer arrives
    for (const name of ['One', 'Two']) {
      const button = remove(name).element() as HTMLElement
      button.focus()
      button.click()
    }
    const names = async () => {
      const { views } = await (await ask('/api/views')).json()
      return views.map(({ name }: { name: string }) => name)
    }
    await expect.poll(names).toEqual(['Three'])
    await expect.poll(() => document.querySelectorAll('.saved-view').length).toBe(1)
    expect(document.activeElement?.closest('nav')?.ariaLabel).toBe('Views')
  })
})

test('an amount that was written stays where another scope is chosen, and the focus with it', async () => {
  await openPage('/settings/prices')
  await page.getByRole('button', { name: 'Set a budget' }).click()
  const scope = page.getByRole('combobox', { name: 'For' })
  await expect.element(scope).toHaveFocus()
  await userEvent.fill(page.getByLabelText('Dollars a month'), '12.50')
  ;(scope.element() as HTMLElement).focus()
  // both Gemini folders have a project webshop: its path is shown as far as it differs
  await userEvent.selectOptions(scope, 'mia/code/webshop')
  await expect.element(page.getByLabelText('Dollars a month')).toHaveValue('12.50')
  await expect.element(scope).toHaveFocus()
})

/** Every answer waits until the returned function is called. */
function holdAnswers(): () => void {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  vi.stubGlobal('fetch', async (asked: string, options?: RequestInit) => {
    await released
    return ask(asked, options)
  })
  return release
}

test('what was chosen in the box is never another because a list came late', async () => {
  await openPage('/')
  const box = page.getByRole('combobox', { name: 'Search or jump to' })
  const chosen = () => document.querySelector('.box-line[aria-selected=true] .box-label')?.textContent
  const isFound = (label: string) =>
    document.querySelector('.box-list')?.textContent?.includes(label) === true
  await userEvent.fill(box, 'rounding')
  await expect.poll(() => isFound('See all')).toBeTruthy()
  await expect.poll(() => chosen()).toBe('Fix price rounding at checkout')
  const answer = holdAnswers()
  await userEvent.fill(box, 'page')
  await userEvent.keyboard('{ArrowUp}')
  const before = chosen()
  expect(before).toBe('See all results for “page”')
  answer()
  await expect.poll(() => isFound('Dark theme for the admin pages')).toBeTruthy()
  await expect.poll(chosen).toMatch(/^See all \d+ results$/)
})

test('a page whose name only has the word is not chosen before sessions are known', async () => {
  await openPage('/')
  const answer = holdAnswers()
  await userEvent.fill(page.getByRole('combobox', { name: 'Search or jump to' }), 'price')
  await expect.element(page.getByRole('option', { name: /^Settings: prices/ })).toBeVisible()
  const chosen = () => document.querySelector('.box-line[aria-selected=true] .box-label')?.textContent
  expect(chosen()).toBeUndefined()
  answer()
  await expect.poll(chosen, { timeout: 15_000 }).toBe('Fix price rounding at checkout')
})

test('a look at the archive that fails says so, and a limit that was chosen keeps the focus', async () => {
  const status = await (await ask('/api/keep')).json()
  const damage = {
    affected: 1,
    sessions: 3,
    otherFiles: 0,
    places: [],
    message: 'It is damaged.',
    advice: 'Repair it.',
  }
  const damaged = { ...status, enabled: true, files: 3, damaged: 1, damage }
  const limits = { maxBytes: null, maxAgeDays: 90 }
  vi.stubGlobal('fetch', async (asked: string, options?: RequestInit) => {
    if (asked.endsWith('/api/keep/now')) throw new TypeError('Failed to fetch')
    if (!asked.endsWith('/api/keep')) return ask(asked, options)
    return Response.json(options?.method === 'PUT' ? { ...damaged, limits } : damaged)
  })
  await openPage('/settings/storage')
  await page.getByRole('button', { name: 'Scan now' }).first().click()
  await expect.element(page.getByRole('alert').filter({ hasText: GONE })).toBeVisible()
  const age = page.getByRole('combobox', { name: 'Not older than' })
  ;(age.element() as HTMLElement).focus()
  await userEvent.selectOptions(age, '90 days')
  await expect.element(age).toHaveValue('90')
  await expect.element(age).toHaveFocus()
})
