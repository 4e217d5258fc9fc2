import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { StitchFile } from '../src/derive/files.ts'
import { stitchGroup } from '../src/derive/stitch.ts'
import { agentIds, linkSubagents } from '../src/derive/subagents.ts'
import { summarizeSession } from '../src/derive/summary.ts'
import { answer, context, copyOf, info, jsonFile, logFile, prompt, type Row } from './make-file.ts'
import { type SimulatedEvent, simulate, simulatedEvents } from './simulated-cli.ts'

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

const project = { key: 'k', name: 'shop', path: null }

/** Everything about the sessions that must not depend on the number and order of the files. */
function essence(files: readonly StitchFile[]) {
  return stitchGroup(files)
    .map((session) => ({
      ...summarizeSession(session, { project, priceCall: ({ usage }) => usage.total }),
      keys: session.messages.map((message) => message.key),
      files: [],
    }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
}

it('R29: does not depend on the order of the files', () => {
  const shuffled = group.chain((files) =>
    fc.tuple(fc.constant(files), fc.shuffledSubarray(files, { minLength: files.length })),
  )
  fc.assert(
    fc.property(shuffled, ([files, others]) => {
      expect(essence(others)).toEqual(essence(files))
    }),
  )
})

it('R29: does not change when files are there twice: in the hash folder, in another home', () => {
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

it('does not change when a file is there again under any name', () => {
  const renamed = group.chain((files) =>
    fc.tuple(fc.constant(files), fc.array(fc.tuple(fc.nat(files.length - 1), fc.nat(9)), { maxLength: 4 })),
  )
  fc.assert(
    fc.property(renamed, ([files, choices]) => {
      const copies = choices.flatMap(([index, number]) => {
        const file = files[index]
        const path = `tmp/shop/chats/backup-${number}.${file?.parsed.format}`
        return file ? [copyOf(file, { path })] : []
      })
      expect(essence([...copies, ...files])).toEqual(essence(files))
    }),
  )
})

it('does not change when the part after a resume is in a file of its own', () => {
  const resumed = fc.tuple(simulatedEvents, simulatedEvents).map(([before, after]) => {
    const events: SimulatedEvent[] = ['turn', ...before, 'turn', 'resume', ...after]
    return { cli: simulate(events), resume: simulate(events.slice(0, before.length + 3)).resumes.length - 1 }
  })
  fc.assert(
    fc.property(resumed, ({ cli, resume }) => {
      const cut = cli.resumes[resume] ?? 0
      const one = logFile({ start: 1 }, cli.records)
      const early = logFile({ start: 1 }, cli.records.slice(0, cut))
      const late = logFile({ start: 90 }, cli.records.slice(cut))
      const strip = (sessions: ReturnType<typeof essence>) =>
        sessions.map(
          ({ key, title, usage, liveUsage, cost, counts, startTime, models, firstPrompt, keys }) => ({
            key,
            title,
            usage,
            liveUsage,
            cost,
            // What is only in the early file is not known as dropped there: notices are live in it (contract rule 2).
            counts: { ...counts, notices: 0, superseded: 0 },
            startTime,
            models,
            firstPrompt,
            ids: [...keys].sort(),
          }),
        )
      expect(strip(essence([late, early]))).toEqual(strip(essence([one])))
    }),
    { numRuns: 300 },
  )
})

it('sub-agents keep their parents when files are there twice and in any order', () => {
  const main = (id: string, start: number, agents: string[]) =>
    logFile({ sessionId: id, start, path: `shop/chats/session-${id}.jsonl` }, [
      prompt(`${id}p`, start),
      answer(`${id}a`, start + 5, {
        toolCalls: agents.map((agentId) => ({
          id: `c-${agentId}`,
          name: 'invoke_agent',
          args: {},
          status: 'success',
          agentId,
        })),
      }),
    ])
  const agent = (id: string, parent: string, start: number, agents: string[] = []) => {
    const file = main(id, start, agents)
    const path = `shop/chats/${parent}/${id}.jsonl`
    return logFile({ sessionId: id, start, kind: 'subagent', path }, [
      prompt(`${id}p`, start),
      answer(`${id}a`, start + 1, { toolCalls: file.parsed.messages[1]?.toolCalls }),
    ])
  }
  const files = [
    main('one', 1, ['x', 'y']),
    main('two', 20, ['z']),
    agent('x', 'one', 2, ['nested']),
    agent('y', 'one', 3),
    agent('nested', 'one', 2),
    agent('z', 'two', 21),
    agent('orphan', 'gone', 30),
  ]
  const family = (all: readonly StitchFile[]) => {
    const groups = new Map<string, StitchFile[]>()
    for (const file of all) {
      const id = file.parsed.header.sessionId ?? ''
      groups.set(id, [...(groups.get(id) ?? []), file])
    }
    const links = [...groups.values()]
      .flatMap((files) => stitchGroup(files))
      .map((session) => ({
        summary: summarizeSession(session, { project, priceCall: ({ usage }) => usage.total }),
        parentSessionId: session.parentSessionId,
        agentIds: agentIds(session.messages),
      }))
    return linkSubagents(links)
      .map(({ key, parentKey, subagentKeys, withSubagents }) => ({
        key,
        parentKey,
        subagentKeys,
        withSubagents,
      }))
      .sort((a, b) => (a.key < b.key ? -1 : 1))
  }
  const expected = family(files)
  expect(expected.filter(({ parentKey }) => parentKey !== null)).toHaveLength(4)
  const arrangements = fc.tuple(
    fc.shuffledSubarray(files, { minLength: files.length }),
    fc.shuffledSubarray(files),
  )
  fc.assert(
    fc.property(arrangements, ([all, twice]) => {
      const copies = twice.map((file) =>
        copyOf(file, { path: file.parsed.path.replace('tmp/shop', `tmp/${'a'.repeat(64)}`) }),
      )
      expect(family([...copies, ...all])).toEqual(expected)
    }),
  )
})

it('still answers to the own keys of the files that are left when others are deleted', () => {
  const left = group.chain((files) => fc.tuple(fc.constant(files), fc.subarray(files, { minLength: 1 })))
  fc.assert(
    fc.property(left, ([files, remaining]) => {
      const sessions = stitchGroup(remaining)
      const answering = sessions.flatMap(({ key, ownKeys }) => [key, ...ownKeys])
      for (const file of remaining) expect(answering).toContain(stitchGroup([file])[0]?.key)
      const ids = (all: ReturnType<typeof stitchGroup>) =>
        all.flatMap(({ messages }) => messages.map(({ id }) => id))
      for (const id of ids(sessions)) expect(ids(stitchGroup(files))).toContain(id)
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
