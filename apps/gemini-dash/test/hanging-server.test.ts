import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apiPaths, healthSchema } from '@gemini-dash/api'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fixtureHome } from './open-test-server.ts'
import { AGAIN_AFTER_FORCE, expectOwnEnd } from './own-end.ts'
import { type RunningProgram, startProgram } from './run-program.ts'

/** In the thread that serves: an endless loop as soon as a file says so, once. */
const PLANT = `
const { isMainThread, workerData } = require('node:worker_threads')
const fs = require('node:fs')
if (!isMainThread && workerData?.heart && 'positionals' in workerData)
  setInterval(() => {
    if (!fs.existsSync(process.env.HANG_CONTROL)) return
    fs.rmSync(process.env.HANG_CONTROL)
    for (;;);
  }, 20)
`

let folder: string
let program: RunningProgram
let address: URL
let cookie: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-test-'))
  writeFileSync(join(folder, 'plant.cjs'), PLANT)
  const kept = ['--cache-dir', join(folder, 'cache'), '--data-dir', join(folder, 'data')]
  program = startProgram(
    ['serve', '--json', '--no-open', '--port', '0', '--home', fixtureHome('0.61.0'), ...kept],
    { NODE_OPTIONS: `--require ${join(folder, 'plant.cjs')}`, HANG_CONTROL: join(folder, 'hang') },
  )
  address = new URL((JSON.parse(await program.firstLine) as { url: string }).url)
  const signIn = await fetch(address, { redirect: 'manual' })
  cookie = (signIn.headers.getSetCookie()[0] ?? '').split(';')[0] ?? ''
})
afterEach(async () => {
  program.child.kill('SIGKILL')
  await program.finished
  rmSync(folder, { recursive: true, force: true })
})

async function hang(): Promise<void> {
  writeFileSync(join(folder, 'hang'), '')
  await expect.poll(() => existsSync(join(folder, 'hang'))).toBe(false)
}

test('R67: the thread that serves is replaced when it hangs: same address, same sign-ins, and the question is answered when it is asked again', async () => {
  await hang()
  const ask = () =>
    fetch(new URL(apiPaths.health(), address), { headers: { cookie } }).then(
      async (answer) => healthSchema.parse(await answer.json()).index.state,
      () => 'no answer',
    )
  await expect.poll(ask, { timeout: 100_000 }).toBe('ready')
  expect(program.printed()).toContain('The dashboard stopped responding and was restarted.')
  program.child.kill('SIGTERM')
  const { stdout } = expectOwnEnd(await program.finished)
  // whoever reads the address is not told a second one
  expect(stdout.trim().split('\n')).toHaveLength(1)
})

test('R67: a thread that hangs does not keep the program from ending', AGAIN_AFTER_FORCE, async () => {
  await hang()
  program.child.kill('SIGTERM')
  expectOwnEnd(await program.finished)
})
