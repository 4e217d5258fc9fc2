import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LIST_PRICES } from '@gemini-dash/pricing'
import { sessionKey } from 'gemini-sessions'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sourceAt } from '../../../../test/source-at.ts'
import { read } from '../../messages/written.ts'
import { SessionAnswerer } from '../session-answerer.ts'
import { DetailFolder } from './detail-folder.ts'
import { SkeletonFiles } from './skeleton-files.ts'

const START = '2026-11-21T20:28:20.912Z'
const METADATA = { sessionId: '4363c94e-b2c5-4034-b4ff-8148ed6493c9', projectHash: 'p', startTime: START }
const tokens = { input: 1_000_000, output: 10, cached: 0, thoughts: 0, tool: 0, total: 1_000_010 }
const ROWS = [
  { id: 'u', timestamp: START, type: 'user', content: 'Hello' },
  { id: 'a', timestamp: START, type: 'gemini', content: 'Hi', model: 'gemini-2.5-pro', tokens },
]
const SUBAGENT = { key: 'agent', sessionId: 'agent', startTime: START, endTime: START }

let root: string
let directory: string
let log: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gemini-dash-details-'))
  directory = join(root, 'opened')
  log = join(root, 'session-2026-11-21T20-28-4363c94e.jsonl')
  write(ROWS)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** Written long ago, as far as the file system knows. */
function write(rows: readonly object[]): void {
  writeFileSync(log, [METADATA, ...rows].map((row) => `${JSON.stringify(row)}\n`).join(''))
  utimesSync(log, 1_700_000_000, 1_700_000_000)
}

function placeOfLog() {
  const ownKey = sessionKey(METADATA.sessionId, START)
  return {
    source: sourceAt(root, [log]),
    ownKey,
    shownKey: ownKey,
    subagents: [],
    root: null,
    isAgent: false,
    asked: {},
  }
}

describe('what the page of a large session begins with, on disk', () => {
  it('is answered as if it were made of the messages, first and again', async () => {
    const asked = placeOfLog()
    const made = await new SessionAnswerer().answer('detail', asked)
    const folder = new DetailFolder(directory, '1')
    await new SessionAnswerer(null, folder).prepare({ source: asked.source, places: [asked] })
    const reader = new SessionAnswerer(null, folder)
    for (let time = 0; time < 2; time++) {
      const answer = await reader.answer('detail', asked)
      expect(answer && read(answer)).toEqual(made && read(made))
      await reader.answer('map', asked)
    }
  })

  it('is asked of the disk: nothing is made again', async () => {
    const asked = placeOfLog()
    const folder = new DetailFolder(directory, '1')
    const json = new TextEncoder().encode('{"messageTotal":42}')
    await folder.write(asked, { json })
    expect(await folder.holds(asked)).toBe(true)
    const reader = new SessionAnswerer(null, folder)
    for (let time = 0; time < 2; time++) {
      const answer = await reader.answer('detail', asked)
      expect(answer && read(answer).messageTotal).toBe(42)
      await reader.answer('map', asked)
    }
  })

  it('is of these files, this build, these prices and these sub-agents, and of no others', async () => {
    const asked = placeOfLog()
    const folder = new DetailFolder(directory, '1')
    await folder.write(asked, { json: new TextEncoder().encode('{}') })
    expect(await folder.read(asked)).not.toBeNull()
    expect(await new DetailFolder(directory, '2').read(asked)).toBeNull()
    expect(await folder.read({ ...asked, subagents: [SUBAGENT] })).toBeNull()
    expect(await folder.read({ ...asked, ownKey: 'another of the same files' })).toBeNull()
    const prices = { ...LIST_PRICES, models: {} }
    expect(await folder.read({ ...asked, source: { ...asked.source, prices } })).toBeNull()
    appendFileSync(log, `${JSON.stringify({ ...ROWS[0], id: 'u2' })}\n`)
    expect(await folder.read({ ...asked, source: sourceAt(root, [log]) })).toBeNull()
  })

  it.each([
    ['cut', (bytes: Buffer) => bytes.subarray(0, bytes.length - 2)],
    ['empty', () => Buffer.alloc(0)],
    ['changed by one byte', (bytes: Buffer) => Buffer.from(bytes.toString('latin1').replace('42', '43'))],
  ])('is no answer where it is %s', async (_, damage) => {
    const asked = placeOfLog()
    const folder = new DetailFolder(directory, '1')
    await folder.write(asked, { json: new TextEncoder().encode('{"messageTotal":42}') })
    const [name = ''] = readdirSync(directory)
    writeFileSync(join(directory, name), damage(readFileSync(join(directory, name))))
    expect(await folder.read(asked)).toBeNull()
    const answer = await new SessionAnswerer(null, folder).answer('detail', asked)
    expect(answer && read(answer).messageTotal).toBe(ROWS.length)
  })

  it('goes with its session', async () => {
    const asked = placeOfLog()
    const folder = new DetailFolder(directory, '1')
    await folder.write(asked, { json: new TextEncoder().encode('{}') })
    await new SkeletonFiles(directory).keepOnly([asked.source.id])
    expect(readdirSync(directory)).toHaveLength(1)
    await new SkeletonFiles(directory).keepOnly(['another'])
    expect(readdirSync(directory)).toEqual([])
  })
})
