import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { StitchFile } from '../src/derive/files.ts'
import { stitchGroup } from '../src/derive/stitch.ts'
import type { Session } from '../src/model/message.ts'
import { answer, jsonFile, logFile, prompt, type Row } from './make-file.ts'

/** The content of a session, independent of its location. */
function essence(files: readonly StitchFile[]) {
  return stitchGroup(files)
    .map((session) => ({
      ...session,
      files: [],
      fileKeys: [],
      issues: session.issues.map(({ file, ...issue }) => issue),
      drift: session.drift.map(({ file, ...note }) => note),
      segments: session.segments.map(({ file, ...segment }) => segment),
      messages: session.messages.map(({ source, ...message }) => message),
    }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
}

function repetitions(sessions: readonly Session[]): string[] {
  return sessions.flatMap(({ files }) =>
    files
      .filter(({ role, own }) => role === 'copy' || (role === 'twin' && own === undefined))
      .map(({ path }) => path),
  )
}

const turns: Row[] = Array.from({ length: 6 }, (_, n) => [prompt(`p${n}`, n), answer(`a${n}`, n)]).flat()

/** Files with one id: the same bytes again, an earlier state, one that diverged, one with less or more in its messages. */
const group = fc.array(
  fc.record({
    start: fc.constantFrom(0, 0, 0, 3),
    rows: fc.uniqueArray(fc.nat(turns.length - 1), { minLength: 1, maxLength: turns.length }),
    isJson: fc.boolean(),
    isTwin: fc.boolean(),
    poorer: fc.option(fc.constantFrom('tokens', 'content', 'thoughts', 'text'), { nil: null }),
    fields: fc.constantFrom({}, {}, {}, { summary: 'Sums' }, { directories: ['/work'] }, { odd: 1 }),
  }),
  { minLength: 2, maxLength: 6 },
)

function toFiles(specs: Parameters<Parameters<typeof group.map>[0]>[0]): StitchFile[] {
  const files = specs.map(({ start, rows, isJson, isTwin, poorer, fields }, index) => {
    const own = rows.toSorted((a, b) => a - b).flatMap((row) => turns[row] ?? [])
    const thought = { subject: 'Look', description: 'first', timestamp: own[0]?.timestamp }
    const told = own.map((row) => {
      if (row.type !== 'gemini' || poorer === null) return row
      if (poorer === 'thoughts') return { ...row, thoughts: [thought] }
      return {
        ...row,
        [poorer === 'text' ? 'content' : poorer]: poorer === 'text' ? 'other words' : undefined,
      }
    })
    const path = `shop/chats/session-${isTwin ? 'same' : index}.${isJson ? 'json' : 'jsonl'}`
    return (isJson ? jsonFile : logFile)({ start, path, fields }, told)
  })
  return [...new Map(files.map((file) => [file.parsed.path, file])).values()]
}

it('without any files that only repeat others every session is the same', () => {
  let found = 0
  fc.assert(
    fc.property(group, fc.nat(63), (specs, chosen) => {
      const files = toFiles(specs)
      const paths = repetitions(stitchGroup(files))
      found += paths.length
      const gone = new Set(paths.filter((_, index) => chosen & (1 << index)))
      const whole = essence(files)
      for (const deleted of [gone, new Set(paths)])
        expect(essence(files.filter(({ parsed }) => !deleted.has(parsed.path)))).toEqual(whole)
    }),
    { numRuns: 120 },
  )
  expect(found).toBeGreaterThan(20)
})

const chat = (name: string) => ({ path: `shop/chats/${name}` })
const fileOf = (files: readonly StitchFile[], name: string) =>
  stitchGroup(files)[0]?.files.find(({ path }) => path.endsWith(name))

it('a file with an answer of its own is no copy: the answer is named', () => {
  const desktop = logFile({ start: 1, ...chat('b.jsonl') }, [prompt('p', 1), answer('desktop', 3)])
  const laptop = logFile({ start: 1, ...chat('a.jsonl') }, [prompt('p', 1), answer('laptop', 2)])
  expect(fileOf([desktop, laptop], 'a.jsonl')).toMatchObject({
    role: 'part',
    own: { messages: 1, firstKey: 'laptop' },
  })
})

it('a file of which only the start is nowhere else is no copy; with the same head it is one', () => {
  const later = logFile({ start: 5, ...chat('b.jsonl') }, [prompt('p', 1), answer('a', 2), prompt('q', 6)])
  const rows = [prompt('p', 1), answer('a', 2)]
  const earlier = logFile({ start: 1, ...chat('a.jsonl') }, rows)
  const same = logFile({ start: 5, ...chat('a.jsonl') }, rows)
  expect(fileOf([later, earlier], 'a.jsonl')).toMatchObject({ role: 'part', own: { messages: 0 } })
  expect(fileOf([later, same], 'a.jsonl')).toMatchObject({ role: 'copy' })
})

it('a file that alone joins two others is no copy', () => {
  const left = logFile({ start: 1, ...chat('c.jsonl') }, [prompt('p', 1), answer('a', 9)])
  const right = logFile({ start: 1, ...chat('a.jsonl') }, [prompt('q', 2), answer('b', 3)])
  const both = logFile({ start: 1, ...chat('b.jsonl') }, [prompt('p', 1), prompt('q', 2)])
  const [session, ...others] = stitchGroup([left, right, both])
  expect([others, session?.files.map(({ role }) => role)]).toEqual([[], expect.not.arrayContaining(['copy'])])
})
