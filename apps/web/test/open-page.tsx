import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import { followLiveEvents } from '../src/api/live-events.ts'
import { createQueryClient } from '../src/api/request.ts'
import { createAppRouter } from '../src/app.tsx'
// loaded with the file, so that tests need not wait for it
import '../src/pages/session/session-page.tsx'
import '../src/pages/usage-page.tsx'

/** One client per tab: it receives changes as long as the tab exists. */
let client: QueryClient | undefined

/** Opens the page at an address, as in a new tab, with the program started for the tests. */
export async function openPage(path: string, { width = 1280, height = 900 } = {}) {
  await cleanup()
  await page.viewport(width, height)
  sessionStorage.clear()
  window.scrollTo({ top: 0, behavior: 'instant' })
  window.history.pushState(null, '', path)
  if (client === undefined) {
    client = createQueryClient()
    followLiveEvents(client)
  }
  client.clear()
  const router = createAppRouter(client)
  await render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
  return router
}

/** Opens a session and waits until its layout is stable. */
export async function openSession(ref: string, rest = '', size: { width?: number; height?: number } = {}) {
  const router = await openPage(`/s/${ref}${rest}`, size)
  await whenRead()
  return router
}

/** Waits until the visible messages are loaded and measured. */
export async function whenRead(): Promise<void> {
  const heights = () => [document.documentElement.scrollHeight, window.scrollY, drawn().length].join()
  let before = ''
  const isRead = () => {
    const isHere = document.querySelector('.conversation[aria-busy="false"]') !== null
    const isStill = before === heights()
    before = heights()
    return isHere && isStill && document.querySelector('.skeleton') === null
  }
  await expect.poll(isRead, { interval: 60 }).toBe(true)
}

/** Selects a filter in the outline's menu. */
export async function showOnly(name: string): Promise<void> {
  await page.getByRole('button', { name: /^Outline: / }).click()
  await page.getByRole('group', { name: 'Show' }).getByRole('button', { name, exact: true }).click()
}

/** The messages drawn now, from the top. */
export function drawn(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('.conversation article.message')]
}

/** Their 0-based positions among all messages. */
export function drawnOffsets(): number[] {
  return drawn().map((article) => Number(article.ariaPosInSet) - 1)
}

/** Waits until a message has the focus and the layout is stable. */
export async function whenLedTo(messageKey: string): Promise<HTMLElement> {
  await expect.poll(() => document.activeElement?.id).toBe(`m-${messageKey}`)
  await whenRead()
  return document.activeElement as HTMLElement
}
