import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Message } from 'gemini-sessions'
import { describe, expect, it } from 'vitest'
import { randomAgyScript } from '../../../fixtures/antigravity/agy-conversation.ts'
import { playAgyScript } from '../../../fixtures/antigravity/agy-script.ts'
import { writeAgyDatabase } from '../../../fixtures/antigravity/write-agy-database.ts'
import { writeAgyConversation } from '../../../fixtures/antigravity/write-agy-home.ts'
import { seededRandom } from '../../../fixtures/seeded-random.ts'
import { lineOf, readAgySession, withHome } from './read-home.ts'

/** `CONVERSATIONS=100 CONVERSATION_FLIPS=2000 npx vitest run …` for the full run. */
const CONVERSATIONS = Number(process.env.CONVERSATIONS ?? 6)
const FLIPS = Number(process.env.CONVERSATION_FLIPS ?? 100)

describe('conversations made by a seed', () => {
  it('are the same from the database and from the transcript alone, where that is whole', async () => {
    for (let seed = 1; seed <= CONVERSATIONS; seed++) {
      const script = randomAgyScript(seededRandom(seed), 8)
      const read = (options: Parameters<typeof writeAgyConversation>[2]) =>
        withHome(async (home) => {
          writeAgyConversation(home, script, options)
          return (await readAgySession(home, script.id)).messages
        })
      const database = await read({ database: { checkpointAfter: seed * 3, hasOpenTail: seed % 2 === 0 } })
      const transcript = await read({ database: false })
      expect(transcript.map(whatBothTell), `seed ${seed}`).toEqual(
        database
          .filter(({ content }) => !JSON.stringify(content).includes('conversation named'))
          .map(whatBothTell),
      )
      const made = playAgyScript(script).filter(
        ({ callIds, step }) => callIds.length > 0 && step.kind === 'answer',
      )
      expect(database.flatMap(({ toolCalls }) => toolCalls).length).toBe(
        made.reduce((sum, { callIds }) => sum + callIds.length, 0),
      )
    }
  })

  it('grow with each commit: every reading is the beginning of the next, until a rewind', async () => {
    await withHome(async (home) => {
      const script = { ...randomAgyScript(seededRandom(3), 4), id: 'c0ffee54-0b7e-4c11-9d58-6a1f0e2b7c90' }
      const played = playAgyScript(script).filter(({ isRewound }) => !isRewound)
      const path = join(home, `antigravity-cli/conversations/${script.id}.db`)
      mkdirSync(dirname(path), { recursive: true })
      const copies: string[] = []
      writeAgyDatabase(join(home, 'end.db'), script, played, {
        checkpointAfter: 9,
        afterStep: (live, { index }) => {
          const copy = join(home, `${index}.db`)
          for (const ending of ['', '-wal']) copyFileSync(`${live}${ending}`, `${copy}${ending}`)
          copies.push(copy)
        },
      })
      let before: string[] = []
      for (const copy of copies) {
        for (const ending of ['', '-wal']) copyFileSync(`${copy}${ending}`, `${path}${ending}`)
        const { messages, issues } = await readAgySession(home, script.id)
        expect(issues).toEqual([])
        const keys = messages.map(({ key }) => key)
        expect(keys.slice(0, before.length)).toEqual(before)
        expect(keys.length).toBeLessThanOrEqual(before.length + 1)
        before = keys
      }
      expect(before.length).toBe(played.filter(({ executes }) => executes === null).length)
    })
  })

  it('with flipped bits give an issue or a session, and no text that was not written', async () => {
    await withHome(async (home) => {
      const random = seededRandom(11)
      const script = randomAgyScript(random, 3)
      const path = writeAgyConversation(home, script, {
        database: { checkpointAfter: 10 },
        transcripts: false,
      })
      const known = await readAgySession(home, script.id)
      const texts = new Set(known.messages.map(textsOf))
      const whole = ['', '-wal'].map((ending) => ({
        path: `${path}${ending}`,
        bytes: readFileSync(`${path}${ending}`),
      }))
      const outcomes = { same: 0, issue: 0, changed: 0 }
      for (let round = 0; round < FLIPS; round++) {
        for (const { path: file, bytes } of whole) writeFileSync(file, bytes)
        const { path: file, bytes } = random.pick(whole)
        const damaged = Buffer.from(bytes)
        const at = random.integer(0, damaged.length - 1)
        damaged[at] = (damaged[at] ?? 0) ^ (1 << random.integer(0, 7))
        writeFileSync(file, random.next() < 0.1 ? damaged.subarray(0, at) : damaged)
        const { messages, issues } = await readAgySession(home, script.id)
        const odd = messages.filter((message) => !texts.has(textsOf(message)))
        // A bit is in one text; a flip must not change the texts of others.
        expect(odd.length).toBeLessThanOrEqual(issues.length > 0 ? 2 : 1)
        outcomes[issues.length > 0 ? 'issue' : odd.length > 0 ? 'changed' : 'same']++
      }
      expect(outcomes.issue).toBeGreaterThan(0)
      expect(outcomes.same).toBeGreaterThan(0)
    })
  })

  it('leave their WAL beside them, with most steps in it alone', async () => {
    await withHome(async (home) => {
      const script = randomAgyScript(seededRandom(5), 3)
      const path = writeAgyConversation(home, script, { transcripts: false })
      expect(existsSync(`${path}-wal`)).toBe(true)
      const all = (await readAgySession(home, script.id)).messages.length
      writeFileSync(`${path}-wal`, '')
      const { messages, issues } = await readAgySession(home, script.id)
      expect([messages.length < all, issues.length > 0]).toEqual([true, true])
    })
  })
})

/** Ids, keys, tokens and fractions of seconds are only in the database. */
function whatBothTell(message: Message) {
  const { toolCalls, timestamp, thoughts } = message
  return {
    line: lineOf(message),
    second: timestamp?.slice(0, 19),
    thoughts: thoughts.map(({ subject, description }) => ({ subject, description })),
    args: toolCalls.map(({ args }) => args),
  }
}

function textsOf(message: Message): string {
  return lineOf(message) + JSON.stringify(message.toolCalls.map(({ args }) => args))
}
