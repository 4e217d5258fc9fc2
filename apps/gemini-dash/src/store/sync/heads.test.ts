import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DiscoveredFile, findHomes, scanHomes } from 'gemini-sessions/node'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Heads } from './heads.ts'

const HEAD = { sessionId: 'd2f1c3b4-0000-4000-8000-000000000001', projectHash: 'ab', kind: 'main' }
const TIME = '2026-06-01T10:00:00.000Z'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-test-'))
  mkdirSync(join(folder, '.gemini/tmp/shop/chats'), { recursive: true })
  path = join(folder, '.gemini/tmp/shop/chats/session-2026-06-01T10-00-d2f1c3b4.jsonl')
  writeLog(TIME)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function writeLog(time: string): void {
  const prompt = { id: 'one', type: 'user', timestamp: time, content: [{ text: 'Hello' }] }
  writeFileSync(path, [HEAD, prompt].map((record) => `${JSON.stringify(record)}\n`).join(''))
}

async function found(): Promise<DiscoveredFile[]> {
  return (await scanHomes(findHomes({ homeArguments: [folder], env: {}, userHome: folder }))).files
}

async function keptOf(files: readonly DiscoveredFile[]) {
  const heads = new Heads()
  await heads.read(files)
  await heads.lastTimes(files)
  return heads.endsOf(files)
}

test('D1: what an earlier run kept of a file is not read again', async () => {
  const files = await found()
  const heads = new Heads()
  for (const each of await keptOf(files)) heads.take(each)
  rmSync(path)
  expect(await heads.read(files)).toEqual([])
  expect(files.map((file) => heads.headOf(file).sessionId)).toEqual([HEAD.sessionId])
  expect([...(await heads.lastTimes(files)).values()]).toEqual([TIME])
})

test('D1: of a file that was written since, everything is read again', async () => {
  const kept = await keptOf(await found())
  HEAD.sessionId = 'd2f1c3b4-0000-4000-8000-000000000002'
  writeLog('2026-06-02T10:00:00.000Z')
  const files = await found()
  const heads = new Heads()
  for (const each of kept) heads.take(each)
  await heads.read(files)
  expect(files.map((file) => heads.headOf(file).sessionId)).toEqual([HEAD.sessionId])
  expect([...(await heads.lastTimes(files)).values()]).toEqual(['2026-06-02T10:00:00.000Z'])
})

test('a file that names no time is looked at again', async () => {
  writeFileSync(path, `${JSON.stringify(HEAD)}\n`)
  const [kept] = await keptOf(await found())
  expect([kept?.head?.sessionId, kept?.lastTime]).toEqual([HEAD.sessionId, null])
})
