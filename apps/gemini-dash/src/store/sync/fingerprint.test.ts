import { chmodSync, linkSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LIST_PRICES } from '@gemini-dash/pricing/overrides'
import { type DiscoveredFile, findHomes, scanHomes } from 'gemini-sessions/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fingerprint } from './group-scan.ts'

describe('the fingerprint of files', () => {
  let folder: string
  let chat: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gemini-dash-fingerprint-'))
    const chats = join(folder, '.gemini/tmp/shop/chats')
    mkdirSync(chats, { recursive: true })
    chat = join(chats, 'session-2026-11-21T20-30-ab5a15b1.jsonl')
    writeFileSync(chat, '{"sessionId":"ab5a15b1"}\n')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const files = async (): Promise<DiscoveredFile[]> =>
    (await scanHomes(findHomes({ homeArguments: [folder], env: {}, userHome: folder }))).files

  it('stays as long as nobody touches them', async () => {
    expect(fingerprint(await files())).toBe(fingerprint(await files()))
  })

  it('R34, A5, A2: changes with content whose time was set back, with rights and with names', async () => {
    const time = new Date('2026-11-21T20:30:00Z')
    const seen = new Set<string>()
    const steps: (() => void)[] = [
      () => utimesSync(chat, time, time),
      () => {
        writeFileSync(chat, '{"sessionId":"ab5a15b2"}\n')
        utimesSync(chat, time, time)
      },
      () => chmodSync(chat, 0o400),
      () => linkSync(chat, join(folder, 'elsewhere')),
    ]
    for (const step of steps) {
      step()
      seen.add(fingerprint(await files()))
    }
    expect(seen.size).toBe(steps.length)
  })

  it('changes with each thing that it looks at', async () => {
    const [file] = await files()
    if (file === undefined) throw new Error('The scan found no file.')
    const others: Partial<DiscoveredFile>[] = [
      { sizeBytes: 7 },
      { mtimeNs: '7' },
      { ctimeNs: '7' },
      { inode: '7' },
      { absolutePath: '/elsewhere' },
    ]
    const prints = others.map((other) => fingerprint([{ ...file, ...other }]))
    prints.push(fingerprint([file]), fingerprint([file], { ...LIST_PRICES, plan: 'nothing' }))
    expect(new Set(prints).size).toBe(prints.length)
  })
})
