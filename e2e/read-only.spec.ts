import { join } from 'node:path'
import { PAGES } from './fixtures/pages.ts'
import { expect, test } from './fixtures/test.ts'
import { treeFingerprint } from './fixtures/tree-fingerprint.ts'

test.use({ ownProgram: 'read-only' })

test('R26: nothing under the home is written, renamed or touched, whatever is looked at', async ({
  page,
  program,
}) => {
  const home = join(program.sandbox.home, '.gemini')
  const before = treeFingerprint(home)
  for (const { path, isReady } of PAGES) {
    await page.goto(path)
    await isReady(page)
  }
  for (const path of [
    '/api/doctor',
    '/api/usage?by=tool',
    '/api/search?q=round&mode=regex',
    '/api/projects',
  ]) {
    expect((await page.request.get(path)).status(), path).toBe(200)
  }
  await page.close()
  await program.stop()
  expect(treeFingerprint(home)).toEqual(before)
})
