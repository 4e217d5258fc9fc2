import { describe, expect, it } from 'vitest'
import { answer, at, logFile, prompt, type Row } from '../../test/make-file.ts'
import { reasoningSchema } from '../model/insights.ts'
import { buildOutline, listReasoning } from './outline.ts'
import { stitchGroup } from './stitch.ts'

function reasoningOf(rows: Parameters<typeof logFile>[1]) {
  const [session] = stitchGroup([logFile({ start: 1 }, rows)])
  if (session === undefined) throw new Error('no session')
  return { ...reasoningSchema.parse(listReasoning(session.messages)), session }
}

const thought = (subject: string, minutes: number, milliseconds = 0, description = 'More of it.') => ({
  subject,
  description,
  timestamp: at(minutes, milliseconds),
})

const shell = (minutes: number) => ({
  id: 'c1',
  name: 'run_shell_command',
  args: { command: 'ls' },
  status: 'success',
  timestamp: at(minutes),
  result: [{ functionResponse: { id: 'c1', name: 'run_shell_command', response: { output: 'a.ts' } } }],
})

const rows: (Row | { $rewindTo: string })[] = [
  prompt('p1', 1),
  answer('a1', 2, {
    thoughts: [thought('Looking around', 1, 4_000), thought('Choosing a way', 1, 9_500)],
    toolCalls: [shell(3)],
  }),
  answer('a2', 4, { thoughts: [thought('Reading the result', 3, 2_000)] }),
  prompt('p2', 10),
  answer('a3', 11),
  prompt('p3', 20),
  answer('a4', 21, { thoughts: [thought('', 20, 1_000, '**No subject**\nbut words')] }),
  { $rewindTo: 'p3' },
]

describe('reasoning', () => {
  it('lists calls that recorded thoughts, in the turns of the outline, also those taken back', () => {
    const { calls, session } = reasoningOf(rows)
    expect(
      calls.map(({ messageKey, offset, turn, superseded }) => [messageKey, offset, turn, superseded]),
    ).toEqual([
      ['a1', 1, 1, null],
      ['a2', 2, 1, null],
      ['a4', 6, 3, 'rewound'],
    ])
    const { turns } = buildOutline(session, () => null)
    for (const { offset, turn } of calls) {
      const inOutline = turns.find(({ number }) => number === turn)
      expect(offset).toBeGreaterThanOrEqual(inOutline?.firstOffset ?? Number.NaN)
      expect(offset).toBeLessThan((inOutline?.firstOffset ?? 0) + (inOutline?.messageCount ?? 0))
    }
  })

  it('tells the time since what was recorded before: the prompt, the thought before, the result of a tool', () => {
    const { calls } = reasoningOf(rows)
    expect(calls.map(({ steps }) => steps.map(({ afterMs }) => afterMs))).toEqual([
      [4_000, 5_500],
      [2_000],
      [1_000],
    ])
  })

  it('names a thought without a subject by its beginning', () => {
    expect(reasoningOf(rows).calls.at(-1)?.steps[0]?.subject).toBe('**No subject** but words')
  })

  it('counts the tokens of all calls, those without thoughts too', () => {
    const { calls, tokens } = reasoningOf(rows)
    expect(tokens).toEqual({ thoughts: 20, output: 40 })
    expect(calls[0]?.tokens).toEqual({ thoughts: 5, output: 10 })
  })

  it('has no time where clocks disagree or are missing', () => {
    const { calls } = reasoningOf([
      prompt('p1', 5),
      answer('a1', 6, {
        thoughts: [
          thought('Before the prompt', 2),
          { subject: 'No time', description: '' },
          thought('After no time', 5),
        ],
      }),
    ])
    expect(calls[0]?.steps.map(({ afterMs }) => afterMs)).toEqual([null, null, null])
  })
})
