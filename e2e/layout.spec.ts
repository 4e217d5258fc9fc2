import { PAGES } from './fixtures/pages.ts'
import { expect, test } from './fixtures/test.ts'

for (const width of [320, 360, 1024]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 640 } })

    for (const { name, path, isReady } of PAGES) {
      test(`${name} does not scroll sideways`, async ({ page }) => {
        await page.goto(path)
        await isReady(page)
        const overflowPx = () =>
          page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
        await expect.poll(overflowPx).toBeLessThanOrEqual(0)
      })
    }
  })
}
