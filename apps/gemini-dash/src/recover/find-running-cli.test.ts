import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isCliRunningIn } from './recover-session.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-dash-test-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test.runIf(process.platform === 'linux')(
  'a Gemini CLI is found by the folder that it works in, and no other program',
  async () => {
    for (const place of ['shop/src', 'shop-two']) mkdirSync(join(folder, place), { recursive: true })
    for (const name of ['gemini.js', 'other.js'])
      writeFileSync(join(folder, name), "console.log('ready')\nsetInterval(() => {}, 1000)\n")
    const started = async (name: string, cwd: string) => {
      const child = spawn(process.execPath, ['--no-warnings', join(folder, name)], { cwd })
      await once(child.stdout, 'data')
      return async () => {
        child.kill()
        await once(child, 'exit')
      }
    }
    const endOther = await started('other.js', join(folder, 'shop'))
    const endBeside = await started('gemini.js', join(folder, 'shop-two'))
    expect(isCliRunningIn(join(folder, 'shop'))).toBe(false)
    const end = await started('gemini.js', join(folder, 'shop', 'src'))
    expect(isCliRunningIn(join(folder, 'shop'))).toBe(true)
    await Promise.all([end(), endOther(), endBeside()])
    expect(isCliRunningIn(join(folder, 'shop'))).toBe(false)
  },
)

test('a system that tells nothing of its processes leaves it open', () => {
  expect(isCliRunningIn(folder, join(folder, 'none'))).toBeNull()
  expect(isCliRunningIn(folder, folder)).toBeNull()
})
