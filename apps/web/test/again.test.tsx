import { QueryClientProvider } from '@tanstack/react-query'
import type { ToolOutput } from 'gemini-sessions'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import { createQueryClient } from '../src/api/request/query-client.ts'
import { PartBody } from '../src/features/conversation/part/part-body.tsx'
import { OutputText } from '../src/features/conversation/tool/output/output-text.tsx'
import { FindBar } from '../src/features/session-find/find-bar.tsx'
import { runAction } from '../src/lib/actions/use-actions.ts'
import { askMap, LONG, ROUNDING } from './ask-server.ts'
import { openPage, openSession } from './open-page.tsx'

const ask = window.fetch.bind(window)
const said = () => document.getElementById('said')?.textContent ?? ''
const REFUSED = 'The server answered 500.'

/** Until it is mended the server refuses what matches. */
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

test('"Ask for this report again" says that it is of now, or why it is not', async () => {
  await openPage('/doctor')
  await expect.element(page.getByRole('region', { name: 'Where it looked' })).toBeVisible()
  runAction('askAgain')
  await expect.poll(said).toBe('The report is of now')
  breakServer(/\/api\/doctor$/)
  runAction('askAgain')
  await expect.poll(said).toBe(REFUSED)
  // what was there is there
  await expect.element(page.getByRole('region', { name: 'Where it looked' })).toBeVisible()
})

test('sessions near to what is typed are asked for again from the palette', async () => {
  await openPage('/usage')
  const { mend } = breakServer(/match=near/)
  await expect.poll(() => runAction('openPalette')).toBe(true)
  await userEvent.fill(page.getByRole('combobox', { name: /^Find a session/ }), 'chekout rounding')
  const retry = page.getByRole('option', { name: /Try again/ })
  await expect.element(retry).toBeVisible()
  mend()
  await retry.click()
  await expect.element(page.getByRole('option', { name: /Fix price rounding at checkout/ })).toBeVisible()
})

test('a step to what is not loaded, and what was written under a home, say why they fail', async () => {
  const { marks } = await askMap(LONG)
  const near = [...marks.slice(0, 100)].filter((mark) => '1357'.includes(mark)).length
  await openSession(LONG)
  breakServer(/messages\?.*offset=[1-9]/)
  for (let step = 0; step <= near; step += 1) await userEvent.keyboard('e')
  await expect.poll(said).toBe(REFUSED)
  breakServer(/journal/)
  await openPage('/doctor')
  await expect.element(page.getByText('What was written could not be asked.', { exact: false })).toBeVisible()
})

test('the timeline is zoomed and shown whole again; where a closer look fails its steps stay', async () => {
  vi.stubGlobal('fetch', async (asked: string, options?: RequestInit) => {
    if (/timeline\?/.test(asked)) return new Response('', { status: 500 })
    const answer = await ask(asked, options)
    if (!asked.endsWith('/timeline')) return answer
    const timeline = await answer.json()
    // as in a session of so many steps that some stand for several
    timeline.steps[1].kind = 'run'
    return Response.json(timeline)
  })
  await openPage(`/s/${ROUNDING}?view=timeline`)
  const shown = () => document.querySelector<HTMLElement>('.timeline-window')
  const rows = () => document.querySelectorAll('.timeline-row').length
  const all = page.getByRole('button', { name: 'All', exact: true }).last()
  await expect.poll(rows).toBeGreaterThan(0)
  expect(shown()?.hidden).toBe(true)
  await page.getByRole('button', { name: 'Zoom in (+)' }).click()
  expect([shown()?.hidden, shown()?.style.left, shown()?.style.width]).toEqual([false, '25%', '50%'])
  await expect.poll(rows).toBeGreaterThan(0)
  await all.click()
  expect(shown()?.hidden).toBe(true)
})

test('what is typed into the find while its words reach the address is not lost', async () => {
  const onQuery = vi.fn<(q: string) => void>()
  const bar = (q: string) => (
    <FindBar
      q={q}
      hits={[]}
      hereKey={null}
      place={0}
      focusCount={1}
      onQuery={onQuery}
      onJump={() => {}}
      onClose={() => {}}
    />
  )
  const { rerender } = await render(bar(''))
  const box = page.getByRole('textbox', { name: 'Find in this session' })
  await userEvent.fill(box, 'roun')
  await expect.poll(() => onQuery.mock.calls.length).toBe(1)
  await userEvent.fill(box, 'rounding')
  await rerender(bar('roun'))
  await expect.element(box).toHaveValue('rounding')
  await expect.poll(() => onQuery.mock.calls.length).toBe(2)
  expect(onQuery.mock.calls).toEqual([['roun'], ['rounding']])
})
