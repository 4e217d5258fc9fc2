import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scanHomes } from 'gemini-sessions/node'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { QuickLook } from './follow-changes.ts'
import { Rows } from './rows.ts'

const FILES = 250
const A_WHOLE_ROUND = 10

let home: string
let chats: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'quick-look-'))
  chats = join(home, 'tmp', 'shop', 'chats')
  mkdirSync(chats, { recursive: true })
  for (let n = 0; n < FILES; n++) writeFileSync(fileAt(n), '{}\n')
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const fileAt = (n: number) => join(chats, `session-${n}.jsonl`)

/** An instance after two full scans, as after a start. */
async function lookedTwice(isSettled = true) {
  const place = { path: home, tmpPath: `${home}/tmp`, exists: true }
  const scan = await scanHomes([place])
  const rows = new Rows()
  for (const file of scan.files) {
    rows.put({ id: file.path, fingerprint: file.mtimeNs, files: [file] }, [])
  }
  const quickLook = new QuickLook({ rows, scan, isSettled })
  for (let n = 0; n < 2; n++) await quickLook.around(async () => [chats, join(home, 'not-there')])
  return { quickLook, scan }
}

async function looksUntilReason(quickLook: QuickLook): Promise<number> {
  for (let looks = 1; ; looks++) if (await quickLook.findsReason()) return looks
}

it('finds no reason where nothing happened, until everything is due', async () => {
  const { quickLook } = await lookedTwice()
  expect(await looksUntilReason(quickLook)).toBe(A_WHOLE_ROUND)
})

it('finds at once a file that is new, one that is gone, and a folder that appears', async () => {
  for (const change of [
    () => writeFileSync(join(chats, 'session-new.jsonl'), '{}'),
    () => rmSync(fileAt(3)),
    () => mkdirSync(join(home, 'not-there')),
  ]) {
    const { quickLook } = await lookedTwice()
    change()
    expect(await looksUntilReason(quickLook)).toBe(1)
  }
})

it('finds at once that one of the newest files has grown, and within a round any other', async () => {
  const { quickLook, scan } = await lookedTwice()
  const byAge = scan.files.toSorted((a, b) => b.mtimeMs - a.mtimeMs).map(({ absolutePath }) => absolutePath)
  appendFileSync(byAge[0] ?? '', '{}\n')
  expect(await looksUntilReason(quickLook)).toBe(1)
  for (const old of byAge.slice(-9)) {
    const { quickLook } = await lookedTwice()
    appendFileSync(old, '{}\n')
    expect(await looksUntilReason(quickLook)).toBeLessThanOrEqual(A_WHOLE_ROUND)
  }
})

it('has a reason as long as something is to be read', async () => {
  const { quickLook } = await lookedTwice(false)
  expect(await looksUntilReason(quickLook)).toBe(1)
})
