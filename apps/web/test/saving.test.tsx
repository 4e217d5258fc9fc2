import { apiPaths } from '@gemini-dash/api/paths'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { cleanup } from 'vitest-browser-react'
import { runAction } from '../src/lib/use-actions.ts'
import { askDetail, ROUNDING } from './ask-server.ts'
import { openPage, openSession } from './open-page.tsx'

const ask = window.fetch.bind(window)
const isClosed = () => expect.poll(() => document.querySelector('dialog')).toBeNull()

/** A change from another tab or browser. */
const sayOfSession = (change: object) =>
  ask(apiPaths.mark(ROUNDING), {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(change),
  })

afterEach(async () => {
  await cleanup()
  vi.unstubAllGlobals()
})

test('what is said of a session takes back nothing that another tab said of it meanwhile', async () => {
  onTestFinished(async () => void (await sayOfSession({ title: null, tags: [], note: '' })))
  await openSession(ROUNDING)
  const field = (name: string | RegExp) => page.getByRole('dialog').getByLabelText(name)
  runAction('noteSession')
  await userEvent.fill(field('Note'), 'Rounded tw')
  await userEvent.keyboard('{Escape}')
  await isClosed()
  await sayOfSession({ tags: ['other'] })
  await expect.element(page.getByRole('link', { name: 'other', exact: true })).toBeVisible()
  // started before, and continued
  runAction('noteSession')
  await expect.element(field('Note')).toHaveValue('Rounded tw')
  await expect.element(field(/^Tags/)).toHaveValue('other')
  await userEvent.fill(field('Note'), 'Rounded twice.')
  await sayOfSession({ title: 'Of another tab', tags: ['other', 'more'] })
  await page.getByRole('button', { name: 'Save' }).click()
  await isClosed()
  const { session } = await askDetail(ROUNDING)
  const said = { title: 'Of another tab', tags: ['other', 'more'], note: 'Rounded twice.' }
  expect(session.mark).toMatchObject(said)
})

test('the name of a project is sent without its path; its form is not there on the page of the next one', async () => {
  const sent: unknown[] = []
  vi.stubGlobal('fetch', async (asked: string, options?: RequestInit) => {
    if (options?.method !== 'PUT') return ask(asked, options)
    sent.push(JSON.parse(String(options.body)))
    return Response.json({})
  })
  const router = await openPage('/p/webshop')
  const open = async () => {
    await page.getByRole('button', { name: 'More for this project' }).click()
    await page.getByRole('button', { name: 'Edit name and path' }).click()
  }
  await open()
  await userEvent.fill(page.getByRole('dialog').getByLabelText('Name'), 'Shop')
  await page.getByRole('button', { name: 'Save' }).click()
  await isClosed()
  expect(sent).toEqual([{ name: 'Shop' }])
  await open()
  await page.getByRole('button', { name: 'Save' }).click()
  await isClosed()
  expect(sent).toHaveLength(1)

  await open()
  await expect.element(page.getByRole('dialog')).toBeVisible()
  await router.navigate({ to: '/p/$project', params: { project: 'dotfiles' } })
  await expect.element(page.getByRole('heading', { name: 'dotfiles', level: 1 })).toBeVisible()
  await isClosed()
})

test('who goes back from what a move would write finds the folder that they named', async () => {
  await openSession(ROUNDING)
  runAction('moveSession')
  const folder = page.getByLabelText('New project folder')
  await userEvent.fill(folder, '/no/such/folder')
  await page.getByRole('checkbox', { name: /^All sessions of/ }).click()
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await expect.element(folder).toHaveValue('/no/such/folder')
  await expect.element(page.getByRole('checkbox', { name: /^All sessions of/ })).toBeChecked()
})
