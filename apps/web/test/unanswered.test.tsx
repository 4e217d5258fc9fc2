import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { runAction } from '../src/lib/use-actions.ts'
import { lazyPanel } from '../src/ui/lazy.tsx'
import { ROUNDING } from './ask-server.ts'
import { drawn, openPage, openSession, whenRead } from './open-page.tsx'

const ask = window.fetch.bind(window)

/** Requests to these addresses fail until mended. */
function fail(path: RegExp, method = 'GET') {
  let count = 0
  vi.stubGlobal('fetch', async (asked: string, options: RequestInit = {}) => {
    if ((options.method ?? 'GET') !== method || !path.test(asked)) return ask(asked, options)
    count += 1
    return new Response('', { status: 500 })
  })
  return { mend: () => vi.unstubAllGlobals(), count: () => count }
}

/** Overrides parts of the settings answer. */
function withPrices(change: object) {
  vi.stubGlobal('fetch', async (asked: string, options: RequestInit = {}) => {
    const answer = await ask(asked, options)
    if (!asked.endsWith('/api/settings')) return answer
    const settings = await answer.json()
    return Response.json({ ...settings, prices: { ...settings.prices, ...change } })
  })
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('each panel of the usage whose figures could not be asked says so in its place, and comes by another try', async () => {
  const { mend } = fail(/\/api\/(usage|budgets)/)
  await openPage('/usage')
  for (const title of ['Cost per day', 'By sessions'])
    await expect
      .element(page.getByRole('region', { name: title, exact: true }))
      .toHaveTextContent('could not be loaded. The server answered 500.')
  const retries = page.getByRole('button', { name: 'Retry' })
  // for these, the totals above them, and the cost breakdown
  expect(retries.elements()).toHaveLength(4)
  mend()
  for (const retry of retries.elements()) (retry as HTMLElement).click()
  await expect.poll(() => retries.elements()).toHaveLength(0)
  await expect.element(page.getByRole('table', { name: 'Sessions' })).toBeVisible()
})

test('that likely folders could not be looked for is said where they would stand', async () => {
  await openSession(ROUNDING)
  const { mend } = fail(/\/move$/, 'POST')
  await expect.poll(() => runAction('moveSession')).toBeTruthy()
  const dialog = page.getByRole('dialog', { name: 'Move to another folder' })
  await expect.element(dialog).toHaveTextContent('Likely folders could not be looked for.')
  mend()
  await dialog.getByRole('button', { name: 'Retry' }).click()
  await expect.poll(() => document.querySelector('dialog [role=alert]')).toBeNull()
})

test('how one pays cannot be chosen where it cannot be kept, and it is said why', async () => {
  withPrices({ file: null })
  await openPage('/settings/prices')
  await expect.element(page.getByRole('button', { name: 'Subscription' })).toBeDisabled()
  await expect
    .element(page.getByText('Subscription shows tokens only. Not available in the demo.'))
    .toBeVisible()
})

test('two values that are chosen before the first is answered are both chosen', async () => {
  await openPage('/search?q=price')
  const box = (name: RegExp) => page.getByRole('group', { name: 'Who' }).getByRole('checkbox', { name })
  await expect.element(box(/^Gemini/)).toBeInTheDocument()
  for (const name of [/^You/, /^Gemini/]) (box(name).element() as HTMLElement).click()
  await expect.element(box(/^You/)).toBeChecked()
  await expect.element(box(/^Gemini/)).toBeChecked()
})

test('what stands beside the list says for itself that it could not be asked, and is asked again once only', async () => {
  const counted = fail(/\/api\/(views|projects$)/)
  await openPage('/')
  const failed = page.getByRole('button', { name: 'Retry', exact: true })
  await expect.poll(() => failed.elements()).toHaveLength(2)
  await expect.element(page.getByRole('link', { name: /^Starred/ })).toBeVisible()
  const before = counted.count()
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(counted.count()).toBe(before)
  counted.mend()
  for (const retry of failed.elements()) (retry as HTMLElement).click()
  await expect.element(page.getByRole('navigation', { name: 'Projects' })).toBeVisible()
  await expect.poll(() => failed.elements()).toHaveLength(0)
})

test('what failed is asked and loaded again once the server is heard, also where nobody was told that it was away', async () => {
  const { mend } = fail(/\/api\/views/)
  await openPage('/')
  const failed = page.getByText('Your own could not be loaded.')
  await expect.element(failed).toBeVisible()
  let isBad = true
  const Part = lazyPanel(async () => {
    if (isBad) throw new TypeError('Failed to fetch dynamically imported module')
    return { default: () => <p>the part</p> }
  })
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  await render(<Part />)
  await expect.element(page.getByText('This part could not be drawn.')).toBeVisible()
  mend()
  isBad = false
  // reconnects, as after a short silence
  window.dispatchEvent(new Event('pagehide'))
  window.dispatchEvent(new Event('pageshow'))
  await expect.element(page.getByText('the part')).toBeVisible()
  await expect.poll(() => failed.elements()).toHaveLength(0)
})

test('messages that could not be read say so in their place, and come by another try', async () => {
  const { mend } = fail(/\/messages\?/)
  await openPage(`/s/${ROUNDING}`)
  const feed = page.getByRole('feed', { name: 'Conversation' })
  await expect.element(feed).toHaveTextContent('These messages could not be read. The server answered 500.')
  mend()
  // undone messages are between two places of the same page
  await feed.getByRole('button', { name: 'Retry' }).first().click()
  await whenRead()
  expect(drawn().length).toBeGreaterThan(0)
})
