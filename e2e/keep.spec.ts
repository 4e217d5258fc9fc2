import { mkdirSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectReadyIndex } from './fixtures/ready-index.ts'
import { expect, test } from './fixtures/test.ts'

test.use({ ownProgram: 'keep' })

test.beforeEach(async ({ page }) => expectReadyIndex(page))

test('what goes is offered to be archived, once; the settings say what is in the archive, and delete it when asked twice', async ({
  page,
  program,
}) => {
  test.slow()
  await page.goto('/')
  const notice = page.getByText(/\d+ of these sessions( will be deleted)? on its next start or within a week/)
  await expect(notice).toBeVisible()
  await page.getByRole('button', { name: /^Archive (it|them)$/ }).click()
  await expect(page.getByText('readable only by you')).toBeVisible()
  await expect(page.getByText(/^Archived: \d+ sessions, .* stored as /)).toBeVisible()
  await page.getByRole('link', { name: 'The archive' }).click()

  const archive = page.getByRole('region', { name: 'Archive' })
  await expect(archive.getByText(/^On · last scan now/)).toBeVisible()
  await expect(archive.getByText(join(program.sandbox.folder, 'data', 'archive'))).toBeVisible()
  await archive.getByLabel('At most').selectOption(String(50e9))
  await expect
    .poll(async () => (await (await page.request.get('/api/keep')).json()).limits.maxBytes)
    .toBe(50e9)

  const [first] = (await (await page.request.get('/api/sessions')).json()).sessions
  rmSync(join(first.files[0].home, first.files[0].path))
  // started outside this page, which learns of it by an event
  const { origin } = program
  await page.request.post('/api/keep/now', { data: {}, headers: { origin } })
  await expect(archive.getByText('1 session only in the archive')).toBeVisible()

  await archive.getByRole('button', { name: 'Scan now' }).click()
  await archive.getByRole('switch', { name: 'Archive sessions' }).click()
  await expect(archive.getByText('Off', { exact: true })).toBeVisible()
  await archive.getByRole('button', { name: 'Delete archive…' }).click()
  await expect(archive.getByText('the only copy of 1 session')).toBeVisible()
  await archive.getByRole('button', { name: 'Delete…' }).click()
  await expect(archive.getByText('1 session will be gone for good')).toBeVisible()
  await archive.getByRole('button', { name: 'Delete for good' }).click()
  await expect(archive.getByRole('button', { name: 'Delete archive…' })).toHaveCount(0)
  expect((await (await page.request.get('/api/keep')).json()).files).toBe(0)
})

test('a notice that was put away stays away; a session that the next start deletes has one of its own', async ({
  page,
}) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByRole('button', { name: 'Dismiss' })).toHaveCount(0)
  await page.reload()
  await expect(page.locator('.session-row').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Dismiss' })).toHaveCount(0)
  // the settings still explain what and why
  await page.goto('/settings/storage#retention')
  await expect(page.getByRole('group', { name: 'Deleted soon' })).toBeVisible()

  const { retention } = await (await page.request.get('/api/doctor')).json()
  await page.goto(`/s/${retention.atRisk[0].sessionKey}`)
  await expect(
    page.getByText(/this session( will be deleted)? on its next start in this project/),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Dismiss' })).toHaveCount(0)
})

test('what is gone is told on its row and its page, and is forgotten when asked twice', async ({
  page,
  program,
}) => {
  test.slow()
  const headers = { origin: program.origin }
  const { sessions } = await (await page.request.get('/api/sessions?project=webshop')).json()
  const { key, title, files } = sessions[0]
  await page.request.put('/api/keep', { data: { enabled: true }, headers })
  await page.request.post('/api/keep/now', { data: {}, headers })
  for (const { home, path } of files) rmSync(join(home, path))
  await page.request.post('/api/keep/now', { data: {}, headers })
  const gone = page.getByText('Everything here is read from the archive')
  const dialog = page.getByRole('dialog', { name: 'Delete from gemini-dash' })
  await page.goto('/?deleted=only')
  const row = page.locator('article, li, tr').filter({ has: page.getByRole('link', { name: title }) })
  await expect(
    row
      .getByText(/^Deleted/)
      .filter({ visible: true })
      .first(),
  ).toBeVisible()

  await page.goto(`/s/${key}`)
  await expect(gone).toBeVisible()
  await expect(page.getByText(/^Deleted.*, last seen /).first()).toBeVisible()

  await page.getByRole('button', { name: 'Delete from gemini-dash…' }).click()
  await expect(dialog.getByText('Files in the Gemini folder stay')).toBeVisible()
  await dialog.getByRole('button', { name: 'Delete…' }).click()
  await expect(dialog.getByText('This can’t be undone.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(gone).toBeVisible()
  await page.getByRole('button', { name: 'Delete from gemini-dash…' }).click()
  await dialog.getByRole('button', { name: 'Delete…' }).click()
  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  await expect(page).toHaveURL(`${program.origin}/`)
  expect((await page.request.get(`/api/sessions/${key}`)).status()).toBe(404)
  await expect(page.getByRole('link', { name: title })).toHaveCount(0)
})

test('the settings say what Gemini CLI takes on disk: sessions, tool outputs and the rest', async ({
  page,
  program,
}) => {
  test.slow()
  const folder = join(program.sandbox.home, '.gemini/tmp/webshop')
  const outputs = join(folder, 'tool-outputs')
  mkdirSync(outputs, { recursive: true })
  writeFileSync(join(outputs, 'run_shell_command_1.txt'), 'x'.repeat(3_000_000))
  const diskOf = async () => (await (await page.request.get('/api/doctor')).json()).disk
  await expect.poll(async () => (await diskOf()).outputBytes).toBeGreaterThan(3_000_000 - 1)
  await page.goto('/settings/storage#disk')
  const disk = page.getByRole('group', { name: 'Disk space used by Gemini CLI' })
  await expect(disk.getByText('gemini-dash deletes nothing there')).toContainText('Tool outputs 3.01 MB')
})

test('the archive says what keeps it from being whole, and what goes on', async ({ page }) => {
  let told = {}
  await page.route('**/api/keep', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ json: { ...(await response.json()), enabled: true, files: 3, ...told } })
  })
  const archive = page.getByRole('region', { name: 'Archive' })
  const expectTold = async (answer: object, words: string) => {
    told = answer
    await page.goto('/settings/storage')
    await expect(archive.getByText(words)).toBeVisible()
  }
  await expectTold(
    { problem: 'There is no room left.', hindrance: 'no-room' },
    'The next scan archives what is missing',
  )
  await expectTold({ problem: 'It holds 10 GB.', hindrance: 'limit' }, 'Raise the limit below')
  await expectTold({ running: { waiting: true, done: 0, total: 0 } }, 'Another gemini-dash is archiving')
  await expectTold(
    { running: { waiting: false, done: 312, total: 1200 }, lastRun: null },
    'Archiving 312 of 1,200',
  )
  const firstSeen = '2026-11-20T10:00:00.000Z'
  const homes = [{ path: '/h/.gemini', exists: false, kept: true }]
  const damagedFiles = [{ home: '/h', path: 'tmp/a/x.jsonl', firstSeen, sessionId: 'x' }]
  const damage = {
    affected: 1,
    sessions: 3,
    otherFiles: 0,
    places: [],
    message: 'It is damaged.',
    advice: 'Repair it.',
  }
  await expectTold(
    { homes, damaged: 1, damage, damagedFiles, running: { waiting: false, done: 1, total: 2 } },
    'is damaged',
  )
  await expect(archive.getByText('isn’t available right now')).toBeVisible()
  // requests in flight would be interrupted
  await page.unrouteAll({ behavior: 'wait' })
})

test('S2: an archive that lost a part of a pack says on every page how many sessions that affects', async ({
  page,
  program,
}) => {
  test.slow()
  const headers = { origin: program.origin }
  await page.request.put('/api/keep', { data: { enabled: true }, headers })
  await page.request.post('/api/keep/now', { data: {}, headers })
  await page.request.put('/api/keep', { data: { enabled: false }, headers })
  const folder = join(program.sandbox.folder, 'data', 'archive')
  const [name = ''] = readdirSync(folder)
  const pack = join(folder, name, 'packs', '000001.pack')
  truncateSync(pack, statSync(pack).size >> 1)
  const told = page.getByText(/^The archive is damaged: \d+ of \d+ sessions affected/)
  const archive = page.getByRole('region', { name: 'Archive' })
  const { damage } = await (await page.request.get('/api/keep')).json()
  expect(damage.affected).toBeGreaterThan(0)
  await page.goto('/settings/storage#keep')
  await expect(archive.getByText(damage.message)).toBeVisible()
  await expect(archive.getByText('gemini-dash keep repair')).toBeVisible()
  // a change in the Gemini folder triggers a scan
  const { sessions } = await (await page.request.get('/api/sessions')).json()
  rmSync(join(sessions[0].files[0].home, sessions[0].files[0].path))
  await expect
    .poll(async () => (await (await page.request.get('/api/health')).json()).warnings)
    .toContainEqual({ code: 'archive-damaged', message: damage.message, advice: damage.advice })
  await page.goto('/')
  await expect(told.first()).toBeVisible()
})
