import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type StitchFile, stitchGroup, summarizeSession } from '../src/index.ts'
import { answer, context, copyOf, info, jsonFile, logFile, prompt, type Row } from './make-file.ts'

interface Talk {
  rows: Row[]
  /** Minute of the first row. */
  start: number
}

/** A conversation of one to eight turns that begins at `start`; some turns with notices, some without tokens. */
function talk(name: string, start: number): fc.Arbitrary<Talk> {
  const turn = fc.record({
    words: fc.string({ maxLength: 12 }),
    hasNotice: fc.boolean(),
    tokens: fc.nat(5000),
  })
  return fc.array(turn, { minLength: 1, maxLength: 8 }).map((turns) => ({
    start,
    rows: turns.flatMap(({ words, hasNotice, tokens }, index) => {
      const minute = start + index
      const counted = { input: tokens, output: 1, cached: 0, thoughts: 0, tool: 0, total: tokens + 1 }
      const asked = prompt(`${name}p${index}`, minute, `ask ${words}`)
      const answered = answer(`${name}a${index}`, minute, { tokens: tokens > 1000 ? counted : null })
      const notice = info(`${name}n${index}`, minute, 'Model set to gemini-2.5-pro')
      return hasNotice ? [asked, notice, answered] : [asked, answered]
    }),
  }))
}

const group = fc
  .tuple(talk('x', 1), talk('y', 30), fc.boolean(), fc.boolean())
  .map(([x, y, isJson, hasStub]) => [
    (isJson ? jsonFile : logFile)({ start: x.start }, x.rows),
    logFile({ start: y.start }, [context(30), ...y.rows]),
    ...(hasStub ? [logFile({ start: 31, path: 'shop/chats/session-stub.jsonl' }, [[context(31)]])] : []),
  ])

/** Everything about the sessions that may not depend on how often and in which order files are there. */
function essence(files: readonly StitchFile[]) {
  const project = { key: 'k', name: 'shop', path: null }
  return stitchGroup(files)
    .map((session) => ({
      ...summarizeSession(session, { project, priceCall: ({ usage }) => usage.total }),
      keys: session.messages.map((message) => message.key),
      files: [],
    }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
}

it('does not depend on the order of the files', () => {
  const shuffled = group.chain((files) =>
    fc.tuple(fc.constant(files), fc.shuffledSubarray(files, { minLength: files.length })),
  )
  fc.assert(
    fc.property(shuffled, ([files, others]) => {
      expect(essence(others)).toEqual(essence(files))
    }),
  )
})

it('does not change when files are there twice: in the hash folder, in another home', () => {
  const doubled = group.chain((files) => fc.tuple(fc.constant(files), fc.subarray(files), fc.subarray(files)))
  fc.assert(
    fc.property(doubled, ([files, inHashFolder, inBackup]) => {
      const hashFolder = inHashFolder.map((file) =>
        copyOf(file, { path: file.parsed.path.replace('tmp/shop', `tmp/${'a'.repeat(64)}`) }),
      )
      const backup = inBackup.map((file) => copyOf(file, { home: '/backup/.gemini' }))
      expect(essence([...hashFolder, ...files, ...backup])).toEqual(essence(files))
    }),
  )
})

it('does not change when the part after a resume is in a file of its own', () => {
  const resumed = talk('x', 1).chain((whole) =>
    fc.tuple(fc.constant(whole), fc.integer({ min: 2, max: Math.max(2, whole.rows.length) })),
  )
  fc.assert(
    fc.property(resumed, ([{ rows, start }, cut]) => {
      const before = [context(start), ...rows.slice(0, cut)]
      // A resume restores the conversation, not the notices.
      const restored = before.filter((row) => row.type !== 'info')
      const after = rows.slice(cut)
      const one = logFile({ start }, [...before, restored, ...after])
      const early = logFile({ start }, before)
      const late = logFile({ start: 40 }, [restored, ...after])
      const strip = (sessions: ReturnType<typeof essence>) =>
        sessions.map(({ key, title, usage, cost, counts, startTime, models, firstPrompt, keys }) => ({
          key,
          title,
          usage,
          cost,
          prompts: counts?.prompts,
          answers: counts?.answers,
          messages: counts?.messages,
          startTime,
          models,
          firstPrompt,
          ids: [...keys].sort(),
        }))
      expect(strip(essence([late, early]))).toEqual(strip(essence([one])))
    }),
  )
})

it('keeps a link to each file working: every own key leads to exactly one session', () => {
  fc.assert(
    fc.property(group, (files) => {
      const sessions = stitchGroup(files)
      for (const file of files) {
        const owners = sessions.filter((session) =>
          session.files.some(({ path }) => path === file.parsed.path),
        )
        expect(owners).toHaveLength(1)
        const alone = stitchGroup([file])
        expect(owners[0]?.ownKeys).toContain(alone[0]?.key)
      }
    }),
  )
})
