import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Health, healthSchema } from '@gemini-dash/api'
import { describe, expect, test } from 'vitest'
import { fixtureHome } from './open-test-server.ts'
import { AGAIN_AFTER_FORCE, expectOwnEnd } from './own-end.ts'
import { type RunningProgram, startProgram } from './run-program.ts'

/** In the serving thread: does what a file tells it to, once, and records that it began. */
const PLANT = `
const { isMainThread, threadId, workerData } = require('worker_threads')
const fs = require('fs')
if (!isMainThread && workerData?.heartbeat instanceof Int32Array && 'positionals' in workerData) {
  const order = process.env.PLANT + '/order'
  fs.writeFileSync(process.env.PLANT + '/began-' + threadId, '')
  setInterval(() => {
    let what
    try { what = fs.readFileSync(order, 'utf8') } catch { return }
    fs.rmSync(order)
    fs.writeFileSync(process.env.PLANT + '/obeyed', '')
    if (what === 'hang') for (;;);
    if (what === 'wait') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 14_000)
  }, 50)
}`

/** A separate program with that code injected. */
class Planted {
  readonly folder = mkdtempSync(join(tmpdir(), 'gemini-dash-test-'))
  readonly program: RunningProgram
  readonly #cookie: Promise<[url: string, cookie: string]>

  constructor(flags: 'kept' | 'nothing kept') {
    writeFileSync(join(this.folder, 'plant.cjs'), PLANT)
    const kept = ['--cache-dir', join(this.folder, 'cache'), '--data-dir', join(this.folder, 'data')]
    const where = flags === 'kept' ? kept : ['--no-cache']
    this.program = startProgram(
      ['serve', '--json', '--no-open', '--port', '0', '--home', fixtureHome('0.61.0'), ...where],
      {
        NODE_OPTIONS: `--require ${join(this.folder, 'plant.cjs')}`,
        PLANT: this.folder,
        HOME: this.folder,
      },
    )
    this.#cookie = this.#signIn()
  }

  async #signIn(): Promise<[string, string]> {
    const { url } = JSON.parse(await this.program.firstLine) as { url: string }
    const signIn = await fetch(url, { redirect: 'manual' })
    return [url, (signIn.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '']
  }

  async health(): Promise<Health> {
    const [url, cookie] = await this.#cookie
    const answer = await fetch(new URL('/api/health', url), {
      headers: { cookie },
      signal: AbortSignal.timeout(2_000),
    })
    return healthSchema.parse(await answer.json())
  }

  async whenReady(): Promise<void> {
    await expect.poll(async () => (await this.health()).index.state).toBe('ready')
  }

  async plant(what: 'hang' | 'wait'): Promise<void> {
    writeFileSync(join(this.folder, 'order'), what)
    await expect.poll(() => existsSync(join(this.folder, 'obeyed'))).toBe(true)
  }

  threads(): number {
    return readdirSync(this.folder).filter((name) => name.startsWith('began-')).length
  }

  async end(): Promise<void> {
    this.program.child.kill('SIGKILL')
    await this.program.finished
    rmSync(this.folder, { recursive: true, force: true })
  }
}

async function withPlanted(
  flags: 'kept' | 'nothing kept',
  look: (planted: Planted) => Promise<void>,
): Promise<void> {
  const planted = new Planted(flags)
  try {
    await planted.whenReady()
    await look(planted)
  } finally {
    await planted.end()
  }
}

describe('R67, S13: a thread that hangs', { timeout: 90_000 }, () => {
  test.each(['kept', 'nothing kept'] as const)(
    'R67, S13: is replaced: same port, same sign-ins, with a warning, with %s',
    (flags) =>
      withPlanted(flags, async (planted) => {
        await planted.plant('hang')
        await expect(planted.health()).rejects.toThrow()
        await expect
          .poll(() =>
            planted.health().then(
              (answer) => answer.index.state,
              () => null,
            ),
          )
          .toBe('ready')
        expect((await planted.health()).warnings.map(({ code }) => code)).toEqual(['server-restarted'])
        expect(planted.threads()).toBe(2)
        planted.program.child.kill('SIGTERM')
        const { stdout, stderr } = await planted.program.finished
        // The address is printed only once.
        expect(stdout.trim().split('\n').length).toBe(1)
        expect(stderr).toContain('The dashboard stopped responding and was restarted.')
      }),
  )

  test('R67, S13: does not keep SIGTERM from ending the program', AGAIN_AFTER_FORCE, () =>
    withPlanted('kept', async (planted) => {
      await planted.plant('hang')
      planted.program.child.kill('SIGTERM')
      expectOwnEnd(await Promise.race([planted.program.finished, sleep(5_000).then(() => null)]))
    }),
  )
})

// concurrently, as they use no CPU
describe.concurrent('R67, S13: what waits', { timeout: 90_000 }, () => {
  test('R67, S13: who was stopped does not hang', () =>
    withPlanted('kept', async (planted) => {
      planted.program.child.kill('SIGSTOP')
      await sleep(12_000)
      planted.program.child.kill('SIGCONT')
      await sleep(1_500)
      expect((await planted.health()).warnings).toEqual([])
      expect([planted.threads(), planted.program.printed().includes('stopped responding')]).toEqual([
        1,
        false,
      ])
    }))

  test('R67, S13: who waits for a disk does not hang', () =>
    withPlanted('kept', async (planted) => {
      // longer than a hang may last
      await planted.plant('wait')
      await expect
        .poll(() =>
          planted.health().then(
            (answer) => answer.warnings,
            () => null,
          ),
        )
        .toEqual([])
      expect([planted.threads(), planted.program.printed().includes('stopped responding')]).toEqual([
        1,
        false,
      ])
    }))
})
