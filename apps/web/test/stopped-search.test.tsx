import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { openPage } from './open-page.tsx'

const ask = window.fetch.bind(window)
const PATTERN = encodeURIComponent('[a-z]{3,} the [a-z]+')

/** The first part of a search gets almost no time, later parts as much as they need. */
function hurry() {
  vi.stubGlobal('fetch', (asked: string, options?: RequestInit) => {
    if (!asked.startsWith('/api/search?')) return ask(asked, options)
    return ask(`${asked}&timeout=${asked.includes('cursor=') ? 600 : 0.00001}`, options)
  })
}

afterEach(() => vi.unstubAllGlobals())

const count = () => document.querySelector('.result-count')?.textContent
const stopped = () =>
  page.getByText(/^Stopped after 0 seconds: searched [\d,]+ of [\d,]+ files, newest first$/)

test('a search whose time was over says how far it came, and is gone on with until all is found', async () => {
  await openPage(`/search?q=${PATTERN}&mode=regex`)
  await expect.poll(count).toMatch(/^[\d,]+ results in [\d,]+ sessions$/)
  const all = count()?.replace(/ in .*/, '')
  hurry()
  await openPage(`/search?q=${PATTERN}&mode=regex`)
  await expect.element(stopped()).toBeVisible()
  await expect.poll(count).toMatch(/ so far$/)
  expect(document.body.textContent).not.toContain('Nothing found')
  expect(document.body.textContent).not.toContain('The index is still being built')
  // if there are more hits than fit on a page, those already found come first
  await page.getByRole('button', { name: 'Search on' }).click()
  await expect.poll(() => stopped().elements().length).toBe(0)
  await expect.poll(count).toBe(all)
})

test('a search that is gone on with can be stopped again', async () => {
  hurry()
  await openPage(`/search?q=${PATTERN}&mode=regex`)
  await expect.element(stopped()).toBeVisible()
  let leave = () => {}
  vi.stubGlobal('fetch', (asked: string, options: RequestInit = {}) => {
    if (!asked.includes('cursor=')) return ask(asked, options)
    return new Promise((_, reject) => {
      options.signal?.addEventListener('abort', () => reject(options.signal?.reason))
      leave = () => reject(new Error('not stopped'))
    })
  })
  await page.getByRole('button', { name: 'Search on' }).click()
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect.element(stopped()).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Search on' })).toBeVisible()
  leave()
})
