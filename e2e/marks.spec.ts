import { expectAxeClean } from './fixtures/axe-scan.ts'
import { expectNoSidewaysScroll } from './fixtures/no-sideways-scroll.ts'
import { SESSIONS } from './fixtures/sessions.ts'
import { expect, test } from './fixtures/test.ts'

test.use({ ownProgram: 'marks' })

test('a star shows at once in every tab, and "Starred" keeps to it', async ({ page, context }) => {
  const { title } = SESSIONS.rounding
  const other = await context.newPage()
  await other.goto(`/s/${SESSIONS.rounding.id}`)
  await page.goto('/')
  const row = page.locator('.session-row', { hasText: title })
  await row.hover()
  await row.getByRole('button', { name: `Star ${title}` }).click()
  await expect(row.getByRole('button', { name: `Star ${title}` })).toHaveAttribute('aria-pressed', 'true')
  const asked: string[] = []
  other.on('request', (request) => asked.push(request.url()))
  await expect(other.getByRole('button', { name: `Star ${title}` })).toHaveAttribute('aria-pressed', 'true')
  // The conversation has not changed: nobody asks for it again.
  expect(asked.filter((url) => url.includes('/messages'))).toEqual([])

  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Starred' }).click()
  await expect(page.locator('.session-row')).toHaveCount(1)
  await page.reload()
  await expect(page.locator('.session-row')).toHaveCount(1)
  await expectAxeClean(page)
  await other.getByRole('button', { name: `Star ${title}` }).click()
  await expect(page.locator('.session-row')).toHaveCount(0)
})

test('a title of one’s own, tags and a note stand on row and page, are found, and can be taken back', async ({
  page,
}) => {
  await page.goto(`/s/${SESSIONS.rounding.id}`)
  const form = page.getByRole('dialog', { name: 'Note, tags and title' })
  await page.getByRole('button', { name: 'More of this session' }).click()
  await page.getByRole('button', { name: 'Note, tags and title' }).click()
  await expect(form.getByLabel(/^Title/)).toHaveAttribute('placeholder', SESSIONS.rounding.title)
  await expectAxeClean(page)
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
  await expectNoSidewaysScroll(page)
  await page.getByRole('button', { name: 'More of this session' }).click()
  await page.getByRole('button', { name: 'Note, tags and title' }).click()
  for (const field of [/^Title/, /^Tags/]) await form.getByLabel(field).fill('')
  await form.getByRole('textbox', { name: 'Note', exact: true }).fill('')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(SESSIONS.rounding.title)
  await expect(page.locator('.mark-line')).toHaveCount(0)
})

test('a filtered list gets a name, which leads back to it until it is removed', async ({ page }) => {
  await page.goto('/?model=gemini-2.5-flash')
  const views = page.getByRole('navigation', { name: 'Views' })
  await views.getByRole('button', { name: 'Save this view' }).click()
  await page.getByLabel('Name of the view').fill('Only <flash>')
  await page.keyboard.press('Enter')
  const view = views.getByRole('link', { name: 'Only <flash>' })
  await expect(view).toHaveAttribute('aria-current', 'page')
  await expect(views.getByRole('button', { name: 'Save this view' })).toHaveCount(0)
  await page.goto('/')
  await view.click()
  await expect(page).toHaveURL(/model=gemini-2\.5-flash/)
  await expect(page.getByRole('combobox', { name: 'Model' })).toHaveValue('gemini-2.5-flash')
  await views.getByRole('button', { name: 'Remove the view Only <flash>' }).click()
  await expect(view).toHaveCount(0)
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
    const star = page.getByRole('button', { name: `Star ${SESSIONS.rounding.title}` })
    await star.click()
    await expect(star).toHaveAccessibleName(/could not be kept: The disk is full/)
    await expect(star).toHaveAttribute('aria-pressed', 'false')
  })
})
