import { mkdirSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from '@playwright/test'
import { machineTime } from '../fixtures/machine-time.ts'
import { expectAxeCleanInBothThemes, expectCleanState, WIDTHS } from './fixtures/axe-scan.ts'
import type { HomeContent, Sandbox } from './fixtures/demo-home.ts'
import { expectNoSidewaysScroll } from './fixtures/no-sideways-scroll.ts'
import { openGroup } from './fixtures/open-group.ts'
import { openHome } from './fixtures/open-home.ts'
import { expectReadyIndex } from './fixtures/ready-index.ts'
import { SESSIONS } from './fixtures/sessions.ts'
import { DIALOG, STATES, showInOutline } from './fixtures/states.ts'
import { expect, test } from './fixtures/test.ts'
import { toolCallGroups } from './fixtures/tool-calls.ts'
import { FORK, ORIGINAL, writeAnswers } from './fixtures/write-copies.ts'
import { HOSTILE } from './fixtures/write-hostile-home.ts'
import { INSIGHTS } from './fixtures/write-insights-home.ts'
import { writeEmptySessions, writeSettings } from './fixtures/write-logs.ts'

// Walks what can be open, missing or refused on a page: menus, dialogs, folds, notices, empty lists, errors.
// The pages themselves are in axe.spec.ts. What only a journey of another test reaches is checked there.

for (const { name, path, reach, part, widths } of STATES) {
  test(`axe finds nothing, and nothing scrolls sideways: ${name}`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await expectReadyIndex(page)
    await page.setViewportSize({ width: widths?.[0] ?? 1440, height: 900 })
    await page.goto(path)
    await reach(page)
    await expectCleanState(page, part, widths)
    await page.unrouteAll({ behavior: 'wait' })
  })
}

const rounding = `/s/${SESSIONS.rounding.id}`
const main = (page: Page) => page.locator('main')
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).first()

interface Stop {
  path: string
  /** What the page says as soon as it is complete. */
  says: string | RegExp
  /** The button that opens more of it. */
  opens?: string | RegExp
}

interface Walk {
  title: string
  content: HomeContent
  prepare?: (sandbox: Sandbox) => void
  stops: readonly Stop[]
}

/** Homes other than the sample, and what each has on its pages. */
const WALKS: readonly Walk[] = [
  {
    title: 'an empty home',
    content: 'empty',
    stops: [
      { path: '/', says: '--home' },
      { path: '/usage', says: 'No sessions found yet' },
    ],
  },
  {
    title: 'a CLI in a container',
    content: 'empty',
    prepare: (sandbox) => writeSettings(sandbox, { tools: { sandbox: 'docker' } }),
    stops: [
      { path: '/', says: 'runs Gemini CLI in a Docker container' },
      { path: '/settings/storage', says: 'Sessions are lost' },
    ],
  },
  {
    title: 'empty sessions and models without a price',
    content: 'empty',
    prepare: writeEmptySessions,
    stops: [
      { path: '/', says: '30 empty sessions not shown' },
      { path: '/settings/storage#retention', says: 'Show 30' },
      { path: '/settings/prices', says: 'Models without a price', opens: 'Show' },
    ],
  },
  {
    title: 'a setting that is not valid',
    content: 'empty',
    prepare: (sandbox) => {
      writeSettings(sandbox, { general: { sessionRetention: { enabled: true, maxAge: '1Y' } } })
      writeEmptySessions(sandbox)
    },
    stops: [{ path: '/settings/storage#retention', says: 'which is not valid' }],
  },
  {
    title: 'many files that could not be read',
    content: 'demo',
    prepare: ({ home }) => {
      const chats = join(home, '.gemini/tmp/shelf-api/chats')
      mkdirSync(join(chats, 'session-folder.json'))
      for (let n = 10; n < 40; n++) {
        const text = n % 2 === 0 ? '' : '{"a":1}'
        writeFileSync(join(chats, `session-2026-11-20T10-${n}-eeee00${n}.json`), text)
      }
    },
    stops: [{ path: '/settings/storage#not-read', says: 'is named like a session', opens: '10 more' }],
  },
  { title: 'several homes', content: 'recorded', stops: [{ path: '/', says: /sessions · / }] },
  {
    title: 'a project of two programs',
    content: 'both',
    stops: [{ path: '/p/shop', says: /Antigravity CLI since .* · Gemini CLI before/ }],
  },
  {
    title: 'a user on a plan',
    content: 'plan',
    stops: [
      { path: '/', says: SESSIONS.rounding.title },
      { path: rounding, says: '943k tokens' },
      { path: '/usage?range=all', says: 'Prices are switched off, as you are on a plan.' },
    ],
  },
  {
    title: 'repeated work in a cost',
    content: 'insights',
    stops: [
      { path: `/s/${INSIGHTS.id}?view=cost`, says: 'Context over time', opens: 'View as table' },
      { path: `/s/${INSIGHTS.id}?view=cost`, says: 'Context over time', opens: /^All the arithmetic/ },
    ],
  },
  {
    title: 'a session that was copied',
    content: 'demo',
    prepare: ({ home }) => {
      writeAnswers(home, ORIGINAL, 0, [1, 2])
      writeAnswers(home, FORK, 1, [1, 2, 3])
    },
    stops: [{ path: `/s/${FORK.id}`, says: `Counted in ${ORIGINAL.prompt}` }],
  },
]

for (const { title, content, prepare, stops } of WALKS) {
  test(`axe finds nothing on another home: ${title}`, async ({ browser }) => {
    await walkHome(
      browser,
      content,
      async (page) => {
        for (const { path, says, opens } of stops) {
          await page.setViewportSize({ width: 1440, height: 900 })
          await page.goto(path)
          await expect(main(page).getByText(says).first()).toBeVisible()
          if (opens !== undefined) await button(page, opens).click()
          await test.step(path, () => expectCleanState(page))
        }
      },
      prepare,
    )
  })
}

test('axe finds nothing on open calls of every tool, and on a phone nothing is wider than the page', async ({
  browser,
}) => {
  test.slow()
  await walkHome(browser, 'tools', async (page) => {
    for (const [index, title] of Object.keys(toolCallGroups()).entries()) {
      const message = await openGroup(page, index)
      if (index === 5) {
        await message.getByRole('button', { name: 'More of this call' }).last().click()
        await message.getByRole('button', { name: 'Raw', exact: true }).click()
        await expect(message.locator('[data-label="All fields of the call"]')).toBeVisible()
      }
      if (index === 6) {
        await message.getByRole('button', { name: /Its conversation 2 answers, 1 tool call/ }).click()
        await message.getByRole('button', { name: /ReadFolder src/ }).click()
      }
      await test.step(title, () => expectCleanState(page, `#m-g${index}`, [1440, 360]))
    }
  })
})

test('a session whose every field is hostile scrolls nothing sideways', async ({ browser }) => {
  // not axe, which would check each of a million words
  await walkHome(browser, 'hostile', async (page) => {
    for (const id of [HOSTILE.longWord, HOSTILE.combining]) {
      await page.goto(`/s/${HOSTILE.id}#m-${id}`)
      await expect(page.locator(`[id="m-${id}"]`)).toBeInViewport()
      if (id === HOSTILE.longWord) {
        await page.keyboard.press('Shift+T')
        await expect(page.locator(`[id="m-${id}~thought-0"] h3`)).toBeVisible()
      }
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 })
        await expectNoSidewaysScroll(page)
      }
    }
  })
})

/**
 * The rest is similar, and takes axe half a minute. All are laid out: in a message far from the viewport, axe would measure targets that
 * overlap those of the next one.
 */
const LAY_OUT_SIXTY = `for (const [index, message] of [...document.querySelectorAll('article')].entries()) {
  if (index < 60) message.style.contentVisibility = 'visible'
  else message.remove()
}`

for (const name of ['long', 'rounding'] as const) {
  test(`axe finds nothing on a session as an HTML file, and nothing scrolls sideways: ${name}`, async ({
    page,
  }, testInfo) => {
    await expectReadyIndex(page)
    const answer = await page.request.get(`/api/sessions/${SESSIONS[name].id}/export?format=html`)
    const file = testInfo.outputPath('exported.html')
    writeFileSync(file, await answer.body())
    await page.goto(pathToFileURL(file).href)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      await expectNoSidewaysScroll(page)
    }
    await page.evaluate(LAY_OUT_SIXTY)
    await expectAxeCleanInBothThemes(page)
  })
}

test.describe(() => {
  // opened files have their own port; a refused file is an error of the server
  test.use({ expectedProblem: /^foreign request: http:\/\/127\.0\.0\.1:|status of 400/ })

  test('axe finds nothing on files that were opened or refused', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto('/open')
    const choose = (name: string, text: string) =>
      page
        .getByLabel('Session files', { exact: true })
        .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
    await choose('notes.json', '# Notes\n')
    await expect(page.getByRole('alert')).toContainText('cannot be opened')
    await expectCleanState(page)
    await choose('tuesday.json', JSON.stringify([{ role: 'user', parts: [{ text: 'Is it Tuesday?' }] }]))
    await expect(page.getByText('Opened file, not in your history, not counted in Usage')).toBeVisible()
    await expectCleanState(page)
    await button(page, 'Close').click()
    await expect(page).toHaveURL(/\/open$/)
  })
})

test('axe finds nothing on stars, notes, tags and titles', async ({ browser }) => {
  await walkHome(browser, 'demo', async (page, put) => {
    const { session } = await (await page.request.get(`/api/sessions/${SESSIONS.rounding.id}`)).json()
    const mark = {
      star: true,
      title: 'Where the cents went',
      tags: ['money', 'später'],
      note: 'Rounded twice.',
    }
    await put(`/api/marks/${session.key}`, mark)
    await page.goto('/?starred=yes')
    await expect(page.locator('.session-row')).toHaveCount(1)
    await expectCleanState(page)

    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(rounding)
    const answer = page.locator('article[data-voice=gemini]', { hasText: 'rounding' }).first()
    await answer.hover()
    await answer.getByRole('button', { name: 'More of this message' }).click()
    await answer.getByRole('button', { name: 'Star this message' }).click()
    await answer.getByRole('button', { name: 'More of this message' }).click()
    await answer.getByRole('button', { name: 'Note', exact: true }).click()
    const form = page.getByRole('dialog', { name: 'Note on this message' })
    await form.getByRole('textbox', { name: 'Note' }).fill('Read this <first>.')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(answer.getByText('Your note: Read this <first>.')).toBeVisible()
    await showInOutline(page, 'Starred and noted')
    await expectCleanState(page)
  })
})

test('axe finds nothing on settings that were changed, and on what they refuse', async ({ browser }) => {
  await walkHome(browser, 'demo', async (page) => {
    const section = (name: string) => page.getByRole('region', { name, exact: true })
    await page.goto('/settings/prices')
    await button(page, 'Add a model').click()
    const form = page.getByRole('form', { name: 'Price of a model' })
    await form.getByLabel('Model').fill('my-model')
    for (const field of [/^Input/, /^Output/]) await form.getByLabel(field).fill('3')
    await form.getByRole('button', { name: 'Save price' }).click()
    await expect(page.getByRole('row', { name: /^my-model/ })).toBeVisible()
    await button(page, 'Set a budget').click()
    await page.getByLabel('Dollars a month').fill('20')
    await section('Budgets per month').getByRole('button', { name: 'Save' }).click()
    await expect(section('Budgets per month')).toContainText('of $20.00')
    await button(page, 'Add a model').click()
    await form.getByLabel(/^Input/).fill('cheap')
    await form.getByRole('button', { name: 'Save price' }).click()
    await expect(form.getByRole('alert')).toBeVisible()
    await expectCleanState(page)

    await page.goto('/settings/storage')
    await section('Cache').getByRole('button', { name: 'Clear' }).click()
    await expect(section('Cache')).toContainText('All session files are being read again.')
    const choice = page.getByLabel('Import stars, notes and tags from a file')
    await choice.setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('{') })
    await expect(section('Stars, notes and tags').getByRole('alert')).toBeVisible()
    await expectCleanState(page)

    await page.goto('/settings')
    const zone = page.getByRole('combobox', { name: 'Time zone' })
    await zone.fill('Middle Earth')
    await zone.press('Enter')
    await expect(page.getByRole('alert')).toContainText('Unknown time zone')
    await expectCleanState(page)
  })
})

test('axe finds nothing on what only the archive has, how it is recovered, forgotten and deleted', async ({
  browser,
}) => {
  test.slow()
  await walkHome(browser, 'demo', async (page, put) => {
    const { sessions } = await (await page.request.get('/api/sessions?project=webshop')).json()
    const [recovered, forgotten] = sessions
    await put('/api/keep', { enabled: true })
    await put('/api/keep/now', {}, 'POST')
    for (const { files } of [recovered, forgotten])
      for (const { home, path } of files) rmSync(join(home, path), { force: true })
    await put('/api/keep/now', {}, 'POST')
    const archive = page.getByRole('region', { name: 'Archive' })
    const dialog = page.getByRole('dialog')
    const goTo = async (path: string, says: string | RegExp) => {
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.goto(path)
      await expect(main(page).getByText(says).filter({ visible: true }).first()).toBeVisible()
    }
    await goTo('/?deleted=only', /^Deleted/)
    await expectCleanState(page)
    await goTo(`/s/${forgotten.key}`, 'Everything here is read from the archive')
    await expectCleanState(page)
    await button(page, 'Delete from gemini-dash…').click()
    await expect(dialog.getByText('Files in the Gemini folder stay')).toBeVisible()
    await expectCleanState(page, DIALOG)
    await dialog.getByRole('button', { name: 'Delete…' }).click()
    await expect(dialog.getByText('This can’t be undone.')).toBeVisible()
    await expectCleanState(page, DIALOG)

    await goTo(`/s/${recovered.key}`, 'Everything here is read from the archive')
    await button(page, 'Recover…').click()
    await expect(dialog.getByRole('button', { name: 'Write these files' })).toBeVisible()
    await expectCleanState(page, DIALOG)
    await dialog.getByRole('button', { name: 'Write these files' }).click()
    await expect(dialog.getByText('Written, and read back')).toBeVisible()
    await expectCleanState(page)

    await goTo('/settings/storage#journal', 'written and read back')
    await expect(archive.getByText(/session.* only in the archive/)).toBeVisible()
    await expectCleanState(page)
    await archive.getByRole('switch', { name: 'Archive sessions' }).click()
    await archive.getByRole('button', { name: 'Delete archive…' }).click()
    await expect(archive.getByText(/the only copy of/)).toBeVisible()
    await expectCleanState(page)
    await archive.getByRole('button', { name: 'Delete…' }).click()
    await expect(archive.getByText(/will be gone for good/)).toBeVisible()
    await expectCleanState(page)
  })
})

test('axe finds nothing on a move to another folder, and on disk space and its preview', async ({
  browser,
}) => {
  await walkHome(browser, 'demo', async (page, _put, { folder, home }) => {
    const outputs = join(home, '.gemini/tmp/webshop/tool-outputs')
    mkdirSync(outputs, { recursive: true })
    writeFileSync(join(outputs, 'run_shell_command_1.txt'), 'x'.repeat(3_000_000))
    const { sessions } = await (await page.request.get('/api/sessions')).json()
    const { key, files, project } = sessions.find(
      (each: { project: { name: string } }) => each.project.name !== 'webshop',
    )
    const hourAgo = machineTime().getTime() / 1000 - 3600
    for (const { home: root, path } of files) utimesSync(join(root, path), hourAgo, hourAgo)
    const target = join(realpathSync(folder), 'moved', project.name)
    mkdirSync(target, { recursive: true })
    mkdirSync(join(home, '.gemini/tmp/moved-here'))
    writeFileSync(join(home, '.gemini/tmp/moved-here/.project_root'), target)
    await page.goto(`/s/${key}`)
    await button(page, 'More actions').click()
    await button(page, 'Move…').click()
    const dialog = page.getByRole('dialog', { name: 'Move to another folder' })
    await dialog.getByRole('button', { name: target }).click()
    await expect(dialog.getByLabel('New project folder')).toHaveValue(target)
    await expectCleanState(page, DIALOG)
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await expect(dialog.getByText(/^tmp\/moved-here\/chats\/session-/)).toBeVisible()
    await expectCleanState(page, DIALOG)
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto('/settings/storage#disk')
    await expect(page.getByText('gemini-dash deletes nothing there')).toContainText('Tool outputs 3')
    await expectCleanState(page)
  })
})

type Put = (path: string, data: object, method?: 'PUT' | 'POST') => Promise<void>

/** Opens a home once it is read, with a way to change what the program stores. */
async function walkHome(
  browser: Parameters<typeof openHome>[0],
  content: HomeContent,
  look: (page: Page, put: Put, sandbox: Sandbox) => Promise<void>,
  prepare?: (sandbox: Sandbox) => void,
): Promise<void> {
  await openHome(
    browser,
    content,
    async ({ page, program }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await expectReadyIndex(page)
      const headers = { origin: program.origin }
      const put: Put = async (path, data, method = 'PUT') => {
        const answer = await page.request.fetch(path, { method, data, headers })
        expect(answer.ok(), path).toBe(true)
      }
      await look(page, put, program.sandbox)
    },
    prepare,
  )
}
