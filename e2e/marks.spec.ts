import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { machineTime } from '../fixtures/machine-time.ts'
import { expectAxeClean } from './fixtures/axe-scan.ts'
import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'
import { writeAsCli } from './fixtures/write-as-cli.ts'

test.use({ ownProgram: 'marks' })

test('a star shows at once in every tab, and "Starred" keeps to it', async ({ page, context }) => {
  const { title } = SESSIONS.rounding
  const other = await context.newPage()
  await other.goto(`/s/${SESSIONS.rounding.id}`)
  // its initial requests are done by then
  await expect(other.locator('.conversation[aria-busy="false"]')).toBeAttached()
  await other.waitForLoadState('networkidle')
  await page.goto('/')
  const row = page.locator('.session-row', { hasText: title })
  await expect(row).toBeVisible()
  await page.keyboard.type('js')
  await expect(row.getByText('Starred', { exact: true })).toBeAttached()
  const asked: string[] = []
  other.on('request', (request) => asked.push(request.url()))
  await other.getByRole('button', { name: 'More actions' }).click()
  const unstar = other.getByRole('button', { name: 'Unstar', exact: true })
  await expect(unstar).toBeVisible()
  // The conversation has not changed: it is not refetched.
  expect(asked.filter((url) => url.includes('/messages'))).toEqual([])

  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Starred' }).click()
  await expect(page.locator('.session-row')).toHaveCount(1)
  await page.reload()
  await expect(page.locator('.session-row')).toHaveCount(1)
  await unstar.click()
  await expect(page.locator('.session-row')).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Nothing is starred here' })).toBeVisible()
})

test('a title of one’s own, tags and a note stand on row and page, are found, and can be taken back', async ({
  page,
}) => {
  await page.goto(`/s/${SESSIONS.rounding.id}`)
  const form = page.getByRole('dialog', { name: 'Note, tags and title' })
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('button', { name: 'Note, tags and title' }).click()
  await expect(form.getByLabel(/^Title/)).toHaveAttribute('placeholder', SESSIONS.rounding.title)
  await form.getByLabel(/^Title/).fill('Where the cents went')
  await form.getByLabel(/^Tags/).fill('money, später, money')
  await form.getByRole('textbox', { name: 'Note', exact: true }).fill('The sum is rounded twice.')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Where the cents went')
  await expect(page.getByText('The sum is rounded twice.')).toBeVisible()
  await page.getByRole('link', { name: 'später' }).click()
  await expect(page).toHaveURL(/\/\?tag=/)
  await expect(page.locator('.session-row')).toHaveCount(1)
  await expect(page.locator('.session-row')).toContainText('Where the cents went')
  await page.goto('/search?q=note%3Arounded')
  await expect(page.getByRole('link', { name: 'Where the cents went' }).first()).toBeVisible()

  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/s/${SESSIONS.rounding.id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('button', { name: 'Note, tags and title' }).click()
  for (const field of [/^Title/, /^Tags/]) await form.getByLabel(field).fill('')
  await form.getByRole('textbox', { name: 'Note', exact: true }).fill('')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(SESSIONS.rounding.title)
  await expect(page.locator('.mark-line')).toHaveCount(0)
})

test('a message is starred and noted where it stands; a list of these leads to it', async ({ page }) => {
  await page.goto(`/s/${SESSIONS.rounding.id}`)
  const answer = page.locator('article[data-voice=gemini]', { hasText: 'rounding' }).first()
  const text = await answer.locator('.prose').first().textContent()
  await answer.hover()
  await answer.getByRole('button', { name: 'More of this message' }).click()
  await answer.getByRole('button', { name: 'Star this message' }).click()
  await answer.getByRole('button', { name: 'More of this message' }).click()
  await answer.getByRole('button', { name: 'Note', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Note on this message' })
  await form.getByRole('textbox', { name: 'Note' }).fill('Read this <first>.')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(answer.getByText('Your note: Read this <first>.')).toBeVisible()
  await page.reload()
  await expect(answer.getByText('Starred')).toBeAttached()
  await page.getByRole('button', { name: /^Outline: / }).click()
  await page.getByRole('button', { name: 'Starred and noted' }).click()
  await page.keyboard.press('Shift+G')
  await expect(answer).not.toBeInViewport()
  const marked = page.getByRole('navigation', { name: 'Marked messages' }).getByRole('link')
  await expect(marked).toHaveCount(1)
  await expect(marked).toContainText(text?.trim().split('\n')[0]?.slice(0, 30) ?? '-')
  await marked.click()
  await expect(answer).toBeInViewport()
  await page.setViewportSize({ width: 390, height: 844 })
  await answer.hover()
  await answer.getByRole('button', { name: 'More of this message' }).click()
  await answer.getByRole('button', { name: 'Unstar' }).click()
  await answer.getByRole('button', { name: 'More of this message' }).click()
  await expect(answer.getByRole('button', { name: 'Star this message' })).toBeVisible()
  await answer.getByRole('button', { name: 'Note', exact: true }).click()
  await form.getByRole('textbox', { name: 'Note' }).fill('')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(answer.locator('.message-note')).toHaveCount(0)
})

test('what a session grew by since it was open is told by its row and by a line; pointing at it opens nothing', async ({
  page,
  program,
}) => {
  const { id, title } = SESSIONS.nightly
  const row = page.locator('.session-row', { hasText: title })
  const seen = async () => {
    const { marks } = await (await page.request.get(`/api/marks?session=${id}`)).json()
    return (Object.values(marks)[0] as { seen: string } | undefined)?.seen ?? null
  }
  const [{ files }] = (await (await page.request.get(`/api/sessions?limit=200`)).json()).sessions.filter(
    (each: { sessionId: string }) => each.sessionId === id,
  )
  const file = join(program.sandbox.home, '.gemini', files[0].path)
  await page.goto('/')
  await row.getByRole('link', { name: title }).hover()
  await page.waitForTimeout(1_500)
  expect(await seen()).toBeNull()
  await row.getByRole('link', { name: title }).click()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await expect.poll(seen).not.toBeNull()
  await page.getByRole('link', { name: 'Sessions', exact: true }).click()
  await expect(row).toBeAttached()
  await expect(row.getByText('New since you were here')).toHaveCount(0)
  const written = machineTime().getTime()
  writeAsCli(file, 'prompt', 'Is it over?')
  await expect(row.getByText('New since you were here')).toBeAttached()
  await row.getByRole('link', { name: title }).click()
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(page.getByText('New since you were here', { exact: true })).toBeInViewport()
  await expect(page.getByText('Is it over?').last()).toBeInViewport()
  // only a session that grew while it was closed has this line
  await expectAxeClean(page)
  await expect.poll(async () => Date.parse((await seen()) ?? '')).toBeGreaterThanOrEqual(written)
  await page.goto('/')
  await expect(row).toBeVisible()
  await expect(row.getByText('New since you were here')).toHaveCount(0)
})

test('what was said of a session outlives its file where it is kept', async ({ page, program }) => {
  const { id, title } = SESSIONS.slowShelf
  const sent = { headers: { origin: program.origin } }
  await page.request.put('/api/keep', { ...sent, data: { enabled: true } })
  await page.request.put(`/api/marks/${id}`, { ...sent, data: { star: true, tags: ['gone'] } })
  await page.request.post('/api/keep/now', { ...sent, data: {} })
  const keep = async () => (await page.request.get('/api/keep')).json()
  await expect.poll(async () => (await keep()).sessions).toBeGreaterThan(5)
  const { session } = await (await page.request.get(`/api/sessions/${id}`)).json()
  for (const { home, path } of session.files) rmSync(join(home, path))
  await page.request.post('/api/keep/now', { ...sent, data: {} })
  await page.goto('/?starred=yes')
  const row = page.locator('.session-row', { hasText: title })
  await expect(row.locator('.session-row-title').getByText(/^Deleted/)).toBeVisible()
  await expect(row.getByText('Starred', { exact: true })).toBeAttached()
  await page.goto('/search?q=tag%3Agone')
  await expect(page.getByRole('link', { name: title }).first()).toBeVisible()
})

test('a filtered list gets a name, which leads back to it until it is removed', async ({ page, program }) => {
  await page.goto('/?model=gemini-2.5-flash')
  const views = page.getByRole('navigation', { name: 'Views' })
  await page.getByRole('button', { name: 'Display' }).click()
  await page.getByRole('button', { name: 'Save this view…' }).click()
  await page.getByLabel('Name of the view').fill('Only <flash>')
  await page.keyboard.press('Enter')
  const view = views.getByRole('link', { name: 'Only <flash>' })
  await expect(view).toHaveAttribute('aria-current', 'page')
  await page.goto('/')
  await view.click()
  await expect(page).toHaveURL(/model=gemini-2\.5-flash/)
  await expect(page.getByRole('button', { name: 'Remove filter: model 2.5-flash' })).toBeVisible()
  // meanwhile, another browser saves a view before this one
  const own = await (await page.request.get('/api/views')).json()
  const other = { name: 'Costly', href: '/?sort=cost' }
  const sent = { headers: { origin: program.origin }, data: { views: [other, ...own.views] } }
  expect((await page.request.put('/api/views', sent)).ok()).toBe(true)
  await views.getByRole('button', { name: 'Remove the view Only <flash>' }).click()
  await expect(view).toHaveCount(0)
  await expect(views.getByRole('link', { name: 'Costly' })).toBeVisible()
  await views.getByRole('button', { name: 'Remove the view Costly' }).click()
  await expect(views.getByRole('link', { name: 'Costly' })).toHaveCount(0)
})

test.describe('where the disk is full', () => {
  test.use({ expectedProblem: /507/ })

  test('a star is taken back, and says why', async ({ page }) => {
    await page.route('**/api/marks/**', (route) =>
      route.fulfill({
        status: 507,
        contentType: 'application/json',
        body: '{"error":{"code":"not-kept","message":"The disk is full."}}',
      }),
    )
    await page.goto(`/s/${SESSIONS.rounding.id}`)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('button', { name: 'Star', exact: true }).click()
    await expect(page.locator('#said')).toContainText('The disk is full')
    await expect(page.getByRole('img', { name: 'Starred' })).toHaveCount(0)
  })
})
