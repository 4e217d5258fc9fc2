import { QueryClientProvider } from '@tanstack/react-query'
import type { ToolOutput } from 'gemini-sessions'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import { createQueryClient } from '../src/api/request.ts'
import { PartBody } from '../src/features/conversation/part-body.tsx'
import { OutputText } from '../src/features/conversation/tool/output-text.tsx'
import { runAction } from '../src/lib/use-actions.ts'
import { askMap, LONG, ROUNDING } from './ask-server.ts'
import { openPage, openSession } from './open-page.tsx'

const ask = window.fetch.bind(window)
const said = () => document.getElementById('said')?.textContent ?? ''
const REFUSED = 'The server answered 500.'

/** The server refuses matching requests until it is mended. */
function breakServer(path: RegExp, whole: () => Response = () => new Response('')): { mend: () => void } {
  let isBroken = true
  vi.stubGlobal('fetch', (asked: string, options?: RequestInit) => {
    if (path.test(asked) && isBroken) return Promise.resolve(new Response('', { status: 500 }))
    return asked.startsWith('/api/whole') ? Promise.resolve(whole()) : ask(asked, options)
  })
  return {
    mend: () => {
      isBroken = false
    },
  }
}

const draw = (part: ReactNode) =>
  render(<QueryClientProvider client={createQueryClient()}>{part}</QueryClientProvider>)

afterEach(async () => {
  await cleanup()
  vi.unstubAllGlobals()
})

test('the rest of an output and of a text that could not be read is asked for again', async () => {
  const cut = { href: '/api/whole', sizeBytes: 90_000 }
  const output = { kind: 'text', text: 'first line', cut } as Extract<ToolOutput, { kind: 'text' }>
  const answered = breakServer(/whole/, () => Response.json({ kind: 'text', text: 'first line\nlast line' }))
  const { container } = await draw(<OutputText id="again/call-0" output={output} />)
  await page.getByRole('button', { name: /^Show all/ }).click()
  await expect.element(page.getByText('The rest could not be read')).toBeVisible()
  answered.mend()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => container.textContent).toContain('last line')
  await cleanup()

  const written = breakServer(/whole/, () => new Response('all of the text'))
  await draw(<PartBody id="again/part-0" part={{ kind: 'text', text: 'all', cut }} />)
  const all = page.getByRole('button', { name: /^Show all/ })
  await all.click()
  await expect.element(page.getByText('It could not be read.')).toBeVisible()
  written.mend()
  await all.click()
  await expect.element(page.getByText('all of the text')).toBeVisible()
})

test('"Check the files again" says that it did, or why it is not', async () => {
  await openPage('/settings/storage')
  await expect.element(page.getByRole('region', { name: 'Gemini folders' })).toBeVisible()
  runAction('askAgain')
  await expect.poll(said).toBe('Checked again')
  breakServer(/\/api\/doctor$/)
  runAction('askAgain')
  await expect.poll(said).toBe(REFUSED)
  // parts that were there are still there
  await expect.element(page.getByRole('region', { name: 'Gemini folders' })).toBeVisible()
})

test('sessions near to what is typed are asked for again from the palette', async () => {
  await openPage('/usage')
  const { mend } = breakServer(/match=near/)
  await expect.poll(() => runAction('openPalette')).toBeTruthy()
  await userEvent.fill(page.getByRole('combobox', { name: 'Search or jump to' }), 'chekout rounding')
  const retry = page.getByRole('option', { name: /Try again/ })
  await expect.element(retry).toBeVisible()
  mend()
  await retry.click()
  await expect.element(page.getByRole('option', { name: /Fix price rounding at checkout/ })).toBeVisible()
})

test('a step to what is not loaded says why it fails', async () => {
  const { marks } = await askMap(LONG)
  const near = [...marks.slice(0, 100)].filter((mark) => '1357'.includes(mark)).length
  await openSession(LONG)
  breakServer(/messages\?.*offset=[1-9]/)
  for (let step = 0; step <= near; step += 1) await userEvent.keyboard('e')
  await expect.poll(said).toBe(REFUSED)
})

test('changes to the Gemini folder that could not be asked for say so in their place', async () => {
  breakServer(/journal/)
  await openPage('/settings/storage')
  const changes = page.getByRole('region', { name: 'Changes to the Gemini folder' })
  await expect.element(changes.getByText('This could not be loaded.', { exact: false })).toBeVisible()
})

test('what is typed into the find while its words reach the address is not lost', async () => {
  await openSession(ROUNDING)
  await userEvent.keyboard('f')
  const box = page.getByRole('textbox', { name: 'Find in this session' })
  await expect.element(box).toHaveFocus()
  await userEvent.keyboard('roun')
  await expect.poll(() => window.location.search === '?q=roun', { interval: 1 }).toBeTruthy()
  await userEvent.keyboard('ding')
  await expect.poll(() => window.location.search).toBe('?q=rounding')
  await expect.element(box).toHaveValue('rounding')
})
