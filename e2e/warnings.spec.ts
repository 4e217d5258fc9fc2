import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { startProgram } from './fixtures/program.ts'
import { expectReadyIndex } from './fixtures/ready-index.ts'
import { expect, test } from './fixtures/test.ts'
import { writeEmptySessions, writeSettings } from './fixtures/write-logs.ts'

// a newly started server reads its settings at once: each test writes them before its first request
test.use({ homeContent: 'empty', ownProgram: 'warnings' })
test.describe.configure({ mode: 'serial' })

test('T14: before there is a session, a container that loses them is named with what to do', async ({
  page,
  program,
}) => {
  writeSettings(program.sandbox, { tools: { sandbox: 'docker' } })
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1, name: 'No sessions found yet' })).toBeVisible()
  await expect(page.getByText('runs Gemini CLI in a Docker container')).toBeVisible()
  await expect(page.getByText('Set tools.sandbox to false to have sessions recorded')).toBeVisible()
  await page.goto('/settings/storage')
  await expect(page.getByRole('region', { name: 'Gemini folders' })).toContainText('Sessions are lost')
  await page.goto('/settings/diagnostics')
  await expect(page.getByText('This program knows Gemini CLI up to 0.61.0.')).toBeVisible()
})

test('T9: empty sessions are left out of lists, found by their kind, and raise no alarm', async ({
  page,
  program,
}) => {
  writeSettings(program.sandbox, {})
  writeEmptySessions(program.sandbox)
  await expect.poll(async () => (await (await page.request.get('/api/sessions')).json()).empty).toBe(30)
  await page.goto('/')
  await expectReadyIndex(page)
  await expect(page.getByRole('link', { name: 'the one real question' })).toBeVisible()
  await expect(page.locator('.session-row')).toHaveCount(2)
  await expect(page.getByRole('link', { name: 'All projects' })).toContainText('2')
  const foot = page.getByText('30 empty sessions not shown')
  await foot.getByRole('button', { name: 'Show' }).click()
  await expect(page).toHaveURL(/kind=empty/)
  await expect(page.locator('.session-row').first()).toContainText('a2a000')
  await expect(page.getByText(/on (?:the )?next start/)).toHaveCount(0)
  await page.locator('.session-row-link').first().click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Keep it' })).toHaveCount(0)

  await page.goto('/settings/storage#retention')
  await expect(page.getByRole('link', { name: 'Show 30' })).toHaveAttribute('href', '/?kind=empty')
  const deleted = page.getByRole('group', { name: 'Deleted soon' })
  await expect(deleted.getByRole('link', { name: 'an old question' })).toBeVisible()
  await expect(deleted.getByText('a2a000')).toHaveCount(0)
  await page.goto('/settings/prices')
  const unpriced = page.getByRole('group', { name: 'Models without a price' })
  await unpriced.getByRole('button', { name: 'Show' }).click()
  await expect(unpriced.getByText('2 requests, 2,140 tokens not in any cost')).toBeVisible()
})

test('T7: a warning begins with the version that its rules were tried with', async ({ page, program }) => {
  writeSettings(program.sandbox, {})
  const { byRules } = (await (await page.request.get('/api/health')).json()).cli
  test.skip(byRules === null, 'The Gemini CLI on this computer is one that the rules were tried with.')
  await page.goto('/')
  await expect(
    page.getByText(`${byRules}, 1 of these sessions will be deleted on its next start or within a week.`),
  ).toBeVisible()
  await page.goto('/settings/storage')
  await expect(page.getByText(`${byRules}, it deletes sessions after 30 days`)).toBeVisible()
})

test('T6, M6: maxCount says what it deletes; a setting that is not valid is named, and nothing is foretold', async ({
  page,
  program,
}) => {
  writeSettings(program.sandbox, { general: { sessionRetention: { maxCount: 1 } } })
  await page.goto('/settings/storage#retention')
  const deleted = page.getByRole('group', { name: 'Deleted soon' })
  await expect(deleted.getByText('all but the newest session of a project')).toBeVisible()
  await expect(deleted.getByText('On the next start of Gemini CLI, for maxCount')).toBeVisible()

  writeSettings(program.sandbox, { general: { sessionRetention: { enabled: true, maxAge: '1Y' } } })
  await page.reload()
  await expect(deleted.getByText('general.sessionRetention.maxAge')).toBeVisible()
  await expect(deleted.getByText('which is not valid')).toBeVisible()
  await expect(deleted.getByText('such as "365d"')).toBeVisible()
  await expect(deleted.getByRole('link', { name: 'an old question' })).toHaveCount(0)
  // rows depend on settings that are reread every half minute; a restart reads them at once
  await page.goto('about:blank')
  await program.stop()
  const next = await startProgram(program.sandbox, program.port)
  try {
    await page.goto('/')
    await expect(page.getByRole('link', { name: 'an old question' })).toBeVisible()
    await expect(page.getByText('next start')).toHaveCount(0)
    const { sessions } = await (await page.request.get('/api/sessions?empty=exclude')).json()
    expect(
      sessions.flatMap(({ deletedAfter }: { deletedAfter: string | null }) => deletedAfter ?? []),
    ).toEqual([])
    await page.goto('about:blank')
  } finally {
    await next.stop()
  }
})

test.afterAll(({ program }) =>
  rmSync(join(program.sandbox.home, '.gemini', 'settings.json'), { force: true }),
)
