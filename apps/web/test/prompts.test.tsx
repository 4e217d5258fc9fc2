import type { SearchResult } from '@gemini-dash/api'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { startLiveLog } from './live-log.ts'
import { drawn, openSession, whenRead } from './open-page.tsx'

const START = '--- Content from referenced files ---'
const END = '--- End of content ---'

test('A7: words behind the end of attached files, on the same line, are read on the page and found', async () => {
  const log = await startLiveLog(1)
  await log.ask(`Explain @a.js\n${START}\nContent from @a.js:\nlet a\n${END} and mind the wombat`)
  await openSession(log.id)
  expect(drawn().at(-1)?.textContent).toContain('and mind the wombat')
  expect(drawn().at(-1)?.textContent).not.toContain(END)
  const found = async () => {
    const answer: SearchResult = await (await fetch('/api/search?q=wombat')).json()
    return answer.hits.map(({ snippet }) => snippet).join()
  }
  await expect.poll(async () => (await found()).includes('and mind the wombat')).toBeTruthy()
})

describe('C4: a prompt that is still being answered', () => {
  test('is no error: the key of failures does not step to it, and nothing is said of it', async () => {
    const log = await startLiveLog(2)
    await log.ask('And now?')
    await openSession(log.id)
    await expect.element(page.getByText('And now?').first()).toBeVisible()
    await userEvent.keyboard('e')
    await whenRead()
    expect(document.activeElement?.closest('.message')).toBeNull()
    expect(page.getByText('No answer').elements()).toEqual([])
  })
})

test('a prompt is continued from by a command of the terminal; the first one has nothing before it', async () => {
  const log = await startLiveLog(1)
  await log.ask('And a second one')
  await openSession(log.id)
  const menuOf = async (text: string) => {
    const message = page.getByRole('article').filter({ hasText: text }).first()
    await message.hover()
    await userEvent.click(message.getByRole('button', { name: 'More of this message' }))
    await expect.element(message.getByRole('button', { name: 'Copy link' })).toBeVisible()
    return message.getByRole('button', { name: 'Continue from here' })
  }
  await userEvent.click(await menuOf('And a second one'))
  const dialog = page.getByRole('dialog', { name: 'Continue from here' })
  await expect.element(dialog.getByText(/^gemini-dash fork [\w-]{12} --at 2 --write/)).toBeVisible()
  await expect.element(dialog.getByText('This one stays unchanged.')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  expect((await menuOf('Prompt 1')).elements()).toEqual([])
})
