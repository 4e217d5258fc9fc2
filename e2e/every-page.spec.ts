import { makeSandbox, type Sandbox } from './fixtures/demo-home.ts'
import { type Program, startProgram } from './fixtures/program.ts'
import { expect, test } from './fixtures/test.ts'
import { addressesOf, findWalker, openWalker, walk } from './fixtures/walk-pages.ts'

/** `WALK=all` visits every session; `WALK_HOMES=folder:folder` adds Gemini folders to the demo and those of nine CLI versions. */
const MOST_SESSIONS = process.env.WALK === 'all' ? Number.POSITIVE_INFINITY : 8
const OTHER_HOMES = process.env.WALK_HOMES?.split(':')

let program: Program
let recorded: Sandbox
test.beforeAll(async () => {
  recorded = makeSandbox('recorded')
  const demo = makeSandbox('demo')
  const sandbox = { ...recorded, homes: OTHER_HOMES ?? [...demo.homes, ...recorded.homes] }
  program = await startProgram(sandbox, 0, { flags: ['--no-token'] })
})
test.afterAll(async () => {
  await program.stop()
  recorded.remove()
})

for (const name of ['chrome', 'firefox'] as const) {
  test(`no page has an error in ${name}`, async () => {
    const executable = findWalker(name)
    test.skip(executable === undefined, `${name} is not installed here`)
    if (process.env.WALK === 'all') test.setTimeout(1_800_000)
    const browser = await openWalker(name, executable ?? '')
    try {
      const page = await browser.newPage()
      const addresses = await addressesOf(program.origin, MOST_SESSIONS)
      expect(addresses.length).toBeGreaterThan(15)
      expect(await walk(page, program.origin, addresses)).toEqual([])
    } finally {
      await browser.close()
    }
  })
}
