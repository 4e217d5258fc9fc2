import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readFileNameTime } from '../parse/session-file.ts'
import { listSessions, type ReadSession, readSessions } from './list-sessions.ts'

const DEMO_HOME = fileURLToPath(new URL('../../../../fixtures/home', import.meta.url))

async function readAll(homes: string[]): Promise<ReadSession[]> {
  const read: ReadSession[] = []
  for await (const each of readSessions({ homes })) read.push(each)
  return read
}

describe('readSessions', () => {
  it('gives sessions from files, the one begun or resumed last first, then what only neighbours tell', async () => {
    const read = await readAll([DEMO_HOME])
    const kinds = read.map(({ session }) => session.kind)
    const firstOther = kinds.indexOf('prompts-only')
    expect(kinds.slice(firstOther)).toEqual(['prompts-only'])
    const minutes = read.slice(0, firstOther).map(lastBeginning)
    expect(minutes.length).toBeGreaterThan(20)
    expect(minutes).toEqual(minutes.toSorted().reverse())
  })

  it('knows no price unless it is told one', async () => {
    const { value: without } = await readSessions({ homes: [DEMO_HOME] }).next()
    expect(without?.summary.cost?.usd).toBe(null)
    const priceCall = () => 0.5
    const { value: priced } = await readSessions({ homes: [DEMO_HOME], priceCall }).next()
    expect(priced?.summary.cost).toEqual({ usd: (priced?.summary.usage?.calls ?? 0) / 2, unpricedCalls: 0 })
  })

  it('says which named home does not exist, and what could be named instead', async () => {
    await expect(readAll([DEMO_HOME, 'no-such-home'])).rejects.toThrow(
      /no Gemini folder at .*no-such-home\/\.gemini\. Use the folder that contains \.gemini/,
    )
  })
})

/** To the minute, as in file names; a resume has a separate file. */
function lastBeginning({ session }: ReadSession): string | undefined {
  const times = [session.startTime, ...session.files.map(({ path }) => readFileNameTime(path))]
  return times
    .flatMap((time) => time?.slice(0, 16) ?? [])
    .sort()
    .at(-1)
}

describe('where nobody names a home', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'read-sessions-'))
    vi.stubEnv('GEMINI_SESSIONS_DIR', undefined)
    vi.stubEnv('GEMINI_CLI_HOME', folder)
  })
  afterEach(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true, force: true })
  })

  it('reads where the CLI would write', async () => {
    cpSync(DEMO_HOME, folder, { recursive: true })
    expect(await listSessions()).toHaveLength((await readAll([DEMO_HOME])).length)
  })

  it('finds nothing where the CLI was never started, and leaves it so', async () => {
    expect(await listSessions()).toEqual([])
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('listSessions', () => {
  it('has the rows of all sessions, the one written to last first', async () => {
    const rows = await listSessions({ homes: [DEMO_HOME] })
    const read = await readAll([DEMO_HOME])
    expect(rows.map(({ key }) => key).sort()).toEqual(read.map(({ session }) => session.key).sort())
    const ends = rows.map(({ endTime }) => endTime)
    expect(ends).toEqual(ends.toSorted().reverse())
  })

  it('links sub-agents to what started them', async () => {
    const rows = await listSessions({ homes: [DEMO_HOME] })
    const agent = rows.find(({ kind }) => kind === 'subagent')
    const parent = rows.find(({ key }) => key === agent?.parentKey)
    expect(parent?.subagentKeys).toContain(agent?.key)
    expect(parent?.withSubagents.usage?.total).toBeGreaterThan(parent?.usage?.total ?? 0)
  })
})
