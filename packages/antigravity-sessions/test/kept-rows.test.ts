import { closeSync, copyFileSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sumUsage } from 'gemini-sessions'
import { describe, expect, it } from 'vitest'
import {
  AGY_PARENT_ID,
  agyOpening,
  agyScript,
  agyUsage,
  randomAgyScript,
} from '../../../fixtures/antigravity/agy-conversation.ts'
import { playAgyScript } from '../../../fixtures/antigravity/agy-script.ts'
import { writeAgyDatabase } from '../../../fixtures/antigravity/write-agy-database.ts'
import { writeAgyConversation } from '../../../fixtures/antigravity/write-agy-home.ts'
import { seededRandom } from '../../../fixtures/seeded-random.ts'
import { copyRows } from '../src/index.ts'
import { readAgySession, withHome } from './read-home.ts'

/** The rows of a conversation as in the archive. */
async function rowsOf(home: string, id: string): Promise<{ outcome: string; bytes: Buffer }> {
  const path = join(home, 'rows')
  const descriptor = openSync(path, 'w+')
  try {
    const outcome = await copyRows({ home, id }, descriptor)
    return { outcome, bytes: readFileSync(path) }
  } finally {
    closeSync(descriptor)
  }
}

/** The same conversation with its rows in place of its database. */
async function readFromRows(home: string, id: string, bytes: Buffer) {
  const path = join(home, `antigravity-cli/conversations/${id}.db`)
  rmSync(`${path}-wal`, { force: true })
  writeFileSync(path, bytes)
  const { files, ...session } = await readAgySession(home, id)
  return session
}

describe('rows that are kept of a conversation', () => {
  it('are read as the database was, whatever happened in it', async () => {
    for (let seed = 1; seed <= 4; seed++)
      await withHome(async (home) => {
        const script = randomAgyScript(seededRandom(seed), 8)
        const chosenAt = (generation: number) => (generation < 5 ? 'Gemini 3.5 Flash (High)' : 'Gemini 4 Pro')
        const database = { checkpointAfter: seed * 3, hasOpenTail: true, chosenAt }
        writeAgyConversation(home, script, { database })
        const { files, ...before } = await readAgySession(home, script.id)
        const { outcome, bytes } = await rowsOf(home, script.id)
        expect(outcome).toBe('copied')
        expect(bytes.includes('CANARY-PROMPT')).toBe(false)
        expect(await readFromRows(home, script.id, bytes), `seed ${seed}`).toEqual(before)
        expect(new Set(before.messages.map(({ model }) => model))).toContain('Gemini 3.5 Flash (High)')
      })
  })

  it('tell of a fork, of a bad call that was made again, and of rows that are no steps', async () => {
    const own = agyOpening('Who rounds here?')
    const events = [
      ...own,
      { kind: 'answer' as const, text: '', isBad: true, usage: agyUsage({ input: 10 }) },
      { kind: 'error' as const, text: 'No such tool.', code: 0 },
      { kind: 'answer' as const, text: 'Done.', usage: agyUsage({ input: 20 }) },
    ]
    const forkOf = { conversation: AGY_PARENT_ID, trajectory: 'parent', steps: own.length }
    await withHome(async (home) => {
      const script = agyScript(events, { forkOf })
      writeAgyConversation(home, script, { transcripts: false, database: { brokenStep: 1 } })
      const { files, ...before } = await readAgySession(home, script.id)
      const { bytes } = await rowsOf(home, script.id)
      const after = await readFromRows(home, script.id, bytes)
      expect(after).toEqual(before)
      expect([after.forkedFrom, after.issues.map(({ code }) => code)]).toEqual([AGY_PARENT_ID, ['bad-row']])
      expect(sumUsage(after.messages).total).toBeGreaterThan(0)
    })
  })

  it('begin as they did before the conversation went on', async () => {
    await withHome(async (home) => {
      const script = agyScript(
        Array.from({ length: 12 }, (_, turn) => [
          { kind: 'prompt' as const, text: `Question ${turn}` },
          { kind: 'answer' as const, text: `Answer ${turn}`, usage: agyUsage() },
        ]).flat(),
      )
      const path = join(home, `antigravity-cli/conversations/${script.id}.db`)
      mkdirSync(dirname(path), { recursive: true })
      const copies: string[] = []
      writeAgyDatabase(join(home, 'end.db'), script, playAgyScript(script), {
        checkpointAfter: 9,
        afterStep: (live, { index }) => {
          const copy = join(home, `${index}.db`)
          for (const ending of ['', '-wal']) copyFileSync(`${live}${ending}`, `${copy}${ending}`)
          copies.push(copy)
        },
      })
      let before: Buffer = Buffer.alloc(0)
      for (const copy of copies) {
        for (const ending of ['', '-wal']) copyFileSync(`${copy}${ending}`, `${path}${ending}`)
        const { bytes } = await rowsOf(home, script.id)
        expect(bytes.subarray(0, before.length).equals(before)).toBe(true)
        expect(bytes.length).toBeGreaterThan(before.length)
        before = bytes
      }
    })
  })

  it('are none where there is no database that can be read, or one of a later version', async () => {
    await withHome(async (home) => {
      const script = agyScript(agyOpening())
      expect((await rowsOf(home, script.id)).outcome).toBe('nothing')
      const path = writeAgyConversation(home, script, { database: { userVersion: 2 } })
      expect((await rowsOf(home, script.id)).outcome).toBe('nothing')
      rmSync(`${path}-wal`)
      for (const bytes of ['', 'no database at all, and long enough to be taken for one'.repeat(100)]) {
        writeFileSync(path, bytes)
        expect((await rowsOf(home, script.id)).outcome).toBe('nothing')
      }
    })
  })

  it('that are cut or changed are damaged, and give way to the transcript', async () => {
    await withHome(async (home) => {
      const script = agyScript(agyOpening())
      writeAgyConversation(home, script)
      const { bytes } = await rowsOf(home, script.id)
      const outcomes = new Set<string>()
      for (let length = 0; length < bytes.length; length += 37) {
        const { issues, messages } = await readFromRows(home, script.id, bytes.subarray(0, length))
        for (const { code } of issues) outcomes.add(code)
        expect(messages.length).toBeGreaterThan(0)
      }
      expect(outcomes).toContain('damaged-database')
    })
  })
})
