import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'

test.use({ ownProgram: 'branches' })

const LONG_ID = '7d1f0000-1111-4222-8333-444455556666'
const FOLDED = 3_000

test.beforeAll(({ program }) => {
  writeLongBranch(program.sandbox.home)
})

test('a rewound turn is one line with its tokens and cost, and opens as a branch where it happened', async ({
  page,
}) => {
  await page.goto(`/s/${SESSIONS.rounding.id}`)
  const line = page.getByRole('button', { name: /Turn 2 \(rewound\).*tokens.*billed/ })
  await expect(line).toHaveAttribute('aria-expanded', 'false')
  // the browser's own find matches folded text, and the page scrolls to it
  await page.keyboard.press('Control+f')
  const folded = page.locator('.fold [hidden="until-found"]', { hasText: 'Use Intl.NumberFormat everywhere' })
  await expect(folded).toBeAttached()
  await folded.dispatchEvent('beforematch')
  await expect(page.locator('.message.in-branch').first()).toBeInViewport()
  await line.click()
  await expect(page.locator('.message.in-branch')).toHaveCount(0)
  await line.click()
  const branch = page.locator('.message.in-branch')
  await expect(branch.first()).toContainText('Use Intl.NumberFormat everywhere instead')
  await line.click()
  await expect(branch).toHaveCount(0)
})

test('a run that went on with a session is marked there, and in the outline', async ({ page, request }) => {
  const list = await (await request.get('/api/sessions?limit=100')).json()
  const { key } = list.sessions.find(({ title }: { title: string }) => title === 'What does this project do?')
  await page.goto(`/s/${key}`)
  const seam = page.locator('.seam', { hasText: 'Resumed' })
  await expect(seam).toHaveCount(1)
  const resumed = page.getByRole('article').filter({ has: seam })
  await expect(resumed).toContainText('And which file should I read first?')
  // such a short session has an outline only while it is filtered
  await page.goto(`/s/${key}?show=dialogue`)
  await expect(page.getByRole('navigation', { name: 'Turns' }).getByText('resumed')).toBeVisible()
})

test('the outline leads into a closed branch', async ({ page }) => {
  await page.goto(`/s/${SESSIONS.rounding.id}`)
  await page
    .getByRole('complementary', { name: 'Outline of the session' })
    .getByText('Use Intl.NumberFormat everywhere instead')
    .click()
  await expect(page.locator('.message.in-branch').first()).toBeInViewport()
})

test('a search leads into a closed branch', async ({ page }) => {
  await page.goto(`/s/${SESSIONS.rounding.id}?q=Intl.NumberFormat`)
  await page.getByRole('button', { name: 'Next', exact: false }).first().click()
  await expect(page.locator('.message.in-branch mark').first()).toBeInViewport()
})

test('a session that the CLI shows empty names the cause, and draws what the log holds', async ({ page }) => {
  await page.goto('/s/93159cb8')
  await expect(page.getByText('The request failed, and the prompt was undone')).toBeVisible()
  await expect(
    page.getByRole('article').getByText('Check last night’s invoices against the ledger'),
  ).toBeVisible()
})

test('3,000 folded messages are one line that asks for none of them, and a link opens it at its message', async ({
  page,
}) => {
  const pages: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/messages?')) pages.push(request.url())
  })
  // the watcher must find a new file before its address works
  await expect.poll(async () => (await page.request.get(`/api/sessions/${LONG_ID}`)).status()).toBe(200)
  await page.goto(`/s/${LONG_ID}`)
  await expect(
    page.getByRole('button', { name: /Turns 2 to 1501 \(rewound\).*3,000 messages/ }),
  ).toBeVisible()
  await expect(page.getByRole('feed').getByText('The last answer')).toBeVisible()
  expect(pages.length).toBeLessThan(5)

  await page.goto(`/s/${LONG_ID}#m-folded-1700`)
  await expect(page.getByText('Answer 1700')).toBeInViewport()
})

/** A log whose first turn remains, whose next 1,500 were rewound at once, and which continues with one more. */
function writeLongBranch(home: string): void {
  const chats = join(home, '.gemini', 'tmp', 'webshop', 'chats')
  const startTime = '2026-11-21T10:00:00.000Z'
  const metadata = {
    sessionId: LONG_ID,
    projectHash: 'b'.repeat(64),
    startTime,
    lastUpdated: startTime,
    kind: 'main',
  }
  const records: object[] = [
    metadata,
    prompt('first', 'The first prompt'),
    answer('first-answer', 'The first answer'),
  ]
  for (let place = 1; place <= FOLDED; place += 2) {
    records.push(
      prompt(`folded-${place}`, `Prompt ${place}`),
      answer(`folded-${place + 1}`, `Answer ${place + 1}`),
    )
  }
  records.push(
    { $rewindTo: 'folded-1' },
    prompt('last', 'The last prompt'),
    answer('last-answer', 'The last answer'),
  )
  mkdirSync(chats, { recursive: true })
  const file = join(chats, `session-2026-11-21T10-00-${LONG_ID.slice(0, 8)}.jsonl`)
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
}

function prompt(id: string, text: string) {
  return { id, timestamp: '2026-11-21T10:00:01.000Z', type: 'user', content: [{ text }] }
}

function answer(id: string, content: string) {
  const tokens = { input: 100, output: 10, cached: 0, thoughts: 0, tool: 0, total: 110 }
  return {
    id,
    timestamp: '2026-11-21T10:00:02.000Z',
    type: 'gemini',
    content,
    thoughts: [],
    tokens,
    model: 'gemini-2.5-pro',
  }
}
