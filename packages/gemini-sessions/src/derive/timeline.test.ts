import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryLog } from '../../test/arbitrary-log.ts'
import { answer, at, context, info, logFile, prompt, rawFile } from '../../test/make-file.ts'
import { readHome } from '../../test/read-home.ts'
import { timelineSchema } from '../model/insights.ts'
import type { Session } from '../model/message.ts'
import type { StitchFile } from './files.ts'
import { buildOutline } from './outline.ts'
import { stitchGroup } from './stitch.ts'
import { buildTimeline, nestTimelines, type TimelineOptions } from './timeline.ts'

const MINUTE = 60_000

function timeline(files: StitchFile[], options: Partial<TimelineOptions> = {}) {
  const [session] = stitchGroup(files)
  if (session === undefined) throw new Error('no session')
  const { turns } = buildOutline(session, () => null)
  return timelineSchema.parse(
    buildTimeline(session.messages, turns, { sessionKey: 'main', maxSteps: 2_000, ...options }),
  )
}

const shell = (id: string, minutes: number, fields: Record<string, unknown> = {}) => ({
  id,
  name: 'run_shell_command',
  args: { command: 'npm test' },
  status: 'success',
  timestamp: at(minutes),
  result: [{ functionResponse: { id, name: 'run_shell_command', response: { output: 'ok' } } }],
  ...fields,
})

const thought = (subject: string, minutes: number) => ({
  subject,
  description: 'why',
  timestamp: at(minutes),
})

/** You 1 → 2 to write the prompt; the model thinks until 4, answers at 5; the tool until 9; the model until 10; you until 30. */
const RUN = logFile({ start: 1 }, [
  context(1),
  prompt('p1', 2),
  answer('a1', 5, { toolCalls: [shell('c1', 9)], thoughts: [thought('Look', 3), thought('Plan', 4)] }),
  answer('a2', 10),
  prompt('p2', 30),
  answer('a3', 31),
])

describe('who was waited for', () => {
  it('is told by the record that ended the wait', () => {
    const { totals, wallMs, stretches } = timeline([RUN])
    expect(wallMs).toBe(30 * MINUTE)
    expect(totals).toEqual({ you: 21 * MINUTE, model: 5 * MINUTE, tool: 4 * MINUTE, other: 0 })
    expect(stretches.map(({ kind, startMs, endMs }) => [kind, startMs / MINUTE, endMs / MINUTE])).toEqual([
      ['you', 0, 1],
      ['model', 1, 4],
      ['tool', 4, 8],
      ['model', 8, 9],
      ['you', 9, 29],
      ['model', 29, 30],
    ])
  })

  it('is the model until the notice of a request that failed, and you from there', () => {
    const rows = [
      prompt('p1', 1),
      info('e', 4, 'Request failed'),
      info('i', 5, 'Model changed'),
      prompt('p2', 9),
    ]
    expect(timeline([logFile({ start: 1 }, rows)]).totals).toEqual({
      you: 5 * MINUTE,
      model: 3 * MINUTE,
      tool: 0,
      other: 0,
    })
  })

  it('is not told after the last answer', () => {
    const rows = [prompt('p1', 1), answer('a1', 2), info('i', 7, 'Saved')]
    expect(timeline([logFile({ start: 1 }, rows)]).totals).toMatchObject({ model: MINUTE, other: 5 * MINUTE })
  })

  it('adds up to the whole time, without gap or overlap, for any log', () => {
    const times = fc.array(fc.tuple(fc.nat(500), fc.nat(4)), { maxLength: 30 })
    fc.assert(fc.property(times, (steps) => expectWhole([logFile({ start: 1 }, steps.map(toRow))])))
  })

  it('adds up where a clock went back between a call and its result', () => {
    const early = { functionResponse: { id: 'c', name: 'glob', response: { output: 'x' } } }
    const rows = [
      {
        id: 'd',
        timestamp: at(30),
        type: 'info',
        content: '',
        toolCalls: [{ id: 'c', name: 'glob', args: {} }],
      },
      { id: 'a', timestamp: at(29), type: 'user', content: [early] },
    ]
    expectWhole([logFile({ start: 1 }, rows)])
  })

  it('adds up for damaged logs, too', () => {
    fc.assert(
      fc.property(arbitraryLog, ({ text }) => expectWhole([rawFile({ start: 1 }, 'jsonl', text)])),
      { numRuns: 50 },
    )
  })

  it('adds up in every session of the fixture homes', async () => {
    const homes = [
      'homes/0.11.3',
      'homes/0.30.1-interactive',
      'homes/0.39.1',
      'homes/0.61.0-interactive',
      'home',
    ]
    const { sessions } = await readHome(...homes.map((home) => fileURLToPath(new URL(home, FIXTURES))))
    for (const session of sessions) expectSums(session)
    const rounding = sessions.find(({ sessionId }) => sessionId.startsWith('3e7a7b68'))
    if (rounding === undefined) throw new Error('not in the demo home')
    const { turns } = buildOutline(rounding, () => null)
    const { totals, wallMs } = buildTimeline(rounding.messages, turns, { sessionKey: 's', maxSteps: 2_000 })
    expect({ wallMs, ...totals }).toEqual({
      wallMs: 9_972_400,
      you: 9_682_000,
      model: 200_000,
      tool: 90_400,
      other: 0,
    })
  })
})

const FIXTURES = new URL('../../../../fixtures/', import.meta.url)

/** Prompts, answers with a call, and notices, at any times in any order. */
function toRow([minutes, kind]: [number, number], index: number) {
  if (kind === 0) return prompt(`p${index}`, minutes)
  if (kind === 1) return info(`i${index}`, minutes, 'note')
  const toolCalls = kind === 2 ? [] : [shell(`c${index}`, minutes + kind)]
  return answer(`a${index}`, minutes, { toolCalls, thoughts: [thought('t', minutes - 1)] })
}

function expectWhole(files: StitchFile[]): void {
  for (const session of stitchGroup(files)) expectSums(session)
}

function expectSums(session: Session): void {
  const { turns } = buildOutline(session, () => null)
  const {
    wallMs,
    totals,
    stretches,
    steps,
    turns: bands,
  } = buildTimeline(session.messages, turns, {
    sessionKey: 's',
    maxSteps: 2_000,
  })
  expect(Object.values(totals).reduce((sum, ms) => sum + ms, 0)).toBe(wallMs)
  let endMs = 0
  for (const stretch of stretches) {
    expect(stretch.startMs).toBe(endMs)
    expect(stretch.endMs).toBeGreaterThanOrEqual(stretch.startMs)
    endMs = stretch.endMs
  }
  expect(endMs).toBe(wallMs)
  for (const band of bands) {
    expect(band.startMs).toBeGreaterThanOrEqual(0)
    expect(band.endMs).toBeGreaterThanOrEqual(band.startMs)
    expect(band.endMs).toBeLessThanOrEqual(wallMs)
  }
  for (const { sinceMs, atMs } of steps) {
    expect(sinceMs).toBeGreaterThanOrEqual(0)
    expect(atMs).toBeGreaterThanOrEqual(sinceMs)
    expect(atMs).toBeLessThanOrEqual(wallMs)
  }
}

describe('steps', () => {
  it('begin where nothing else was recorded later, so that their length is an upper bound', () => {
    const steps = timeline([RUN]).steps.map(({ kind, sinceMs, atMs }) => [
      kind,
      sinceMs / MINUTE,
      atMs / MINUTE,
    ])
    expect(steps).toEqual([
      ['notice', 0, 0],
      ['prompt', 1, 1],
      ['model', 1, 4],
      ['tool', 4, 8],
      ['model', 8, 9],
      ['prompt', 29, 29],
      ['model', 29, 30],
    ])
  })

  it('carry their thoughts, words and failures', () => {
    const { steps } = timeline([
      logFile({ start: 1 }, [
        prompt('p1', 1, 'Run the tests'),
        answer('a1', 3, {
          thoughts: [thought('Look', 2)],
          toolCalls: [shell('c', 4, { status: 'error' })],
        }),
      ]),
    ])
    expect(steps).toMatchObject([
      { kind: 'prompt', label: 'Run the tests', turn: 1 },
      { kind: 'model', label: 'gemini-2.5-pro', thoughts: [{ atMs: MINUTE, subject: 'Look' }] },
      { kind: 'tool', label: 'run_shell_command', detail: 'npm test', failed: true },
    ])
  })

  it('are there when they were taken back, and once where they were copied', () => {
    const rows = [prompt('p1', 1), answer('a1', 2), prompt('p2', 3), answer('a2', 4), { $rewindTo: 'p2' }]
    expect(timeline([logFile({ start: 1 }, rows)]).steps.map(({ superseded }) => superseded)).toEqual([
      null,
      null,
      'rewound',
      'rewound',
    ])
  })

  it('too many are put together, but no prompt is lost', () => {
    const rows = Array.from({ length: 10 }, (_, turn) => [
      prompt(`p${turn}`, turn * 100 + 1),
      ...Array.from({ length: 20 }, (_, step) => answer(`a${turn}-${step}`, turn * 100 + 2 + step)),
    ]).flat()
    const file = logFile({ start: 1 }, rows)
    const { steps, stepTotal } = timeline([file], { maxSteps: 50 })
    expect(stepTotal).toBe(210)
    expect(steps.length).toBeLessThanOrEqual(50)
    expect(steps.filter(({ kind }) => kind === 'prompt')).toHaveLength(10)
    expect(steps.reduce((sum, { count }) => sum + count, 0)).toBe(210)
  })
})

describe('sub-agents', () => {
  it('stand below the call that started them, with their measured span', () => {
    const parent = timeline([RUN])
    const inner = timeline([logFile({ start: 6 }, [prompt('task', 6), answer('x', 8)])], {
      sessionKey: 'agent',
    })
    const steps = parent.steps.map((step) => (step.kind === 'tool' ? { ...step, agentKey: 'agent' } : step))
    const nested = nestTimelines({ ...parent, steps }, [
      { sessionKey: 'agent', title: 'Investigator', timeline: inner },
    ])
    expect(nested.steps.map(({ depth, kind }) => [depth, kind]).slice(3, 6)).toEqual([
      [0, 'tool'],
      [1, 'prompt'],
      [1, 'model'],
    ])
    expect(nested.steps[3]?.measured).toEqual({ startMs: 5 * MINUTE, endMs: 7 * MINUTE })
    expect(nested.steps[5]).toMatchObject({ sessionKey: 'agent', sinceMs: 5 * MINUTE, atMs: 7 * MINUTE })
    expect(nested.totals).toEqual(parent.totals)
  })
})
