import type { SearchResult } from '@gemini-dash/api'
import { afterEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { cleanup } from 'vitest-browser-react'
import { startLiveLog } from './live-log.ts'
import { drawn, openSession, whenRead } from './open-page.tsx'

const START = '--- Content from referenced files ---'
const END = '--- End of content ---'

afterEach(() => cleanup())

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
  await expect.poll(async () => (await found()).includes('and mind the wombat')).toBe(true)
})

describe('C4: a prompt that is still being answered', () => {
  const chip = () => page.getByRole('button', { name: /^Errors/ })

  test('is no error: neither the chip nor the key counts it', async () => {
    const log = await startLiveLog(2)
    await log.ask('And now?')
    await openSession(log.id)
    await expect.element(page.getByText('And now?').first()).toBeVisible()
    await expect.element(chip()).toHaveTextContent('Errors0')
    await userEvent.keyboard('e')
    await whenRead()
    expect(document.activeElement?.closest('.message')).toBeNull()
    expect(page.getByText('No answer').elements()).toEqual([])
  })
})
