import { describe, expect, it } from 'vitest'
import { answer, at, context, info, jsonFile, logFile, prompt, type Row } from '../../test/make-file.ts'
import { stitchGroup } from './stitch.ts'
import { summarizeSession } from './summary.ts'

function summaryOf(files: Parameters<typeof stitchGroup>[0]) {
  const [session, ...others] = stitchGroup(files)
  expect(others).toEqual([])
  if (session === undefined) throw new Error('no session')
  const project = { key: 'k', name: 'shop', path: null }
  return { session, summary: summarizeSession(session, { project, priceCall: ({ usage }) => usage.total }) }
}

const rowsUntilAbort: (Row | Row[])[] = [
  prompt('p1', 1, 'go'),
  answer('a1', 2, { toolCalls: [{ id: 'c1', name: 'glob', args: {}, status: 'success' }] }),
  prompt('p2', 3, 'stop'),
]
const copies: Row[] = [
  prompt('q1', 4, 'go'),
  answer('b1', 4, {
    content: [{ text: 'answer a1' }, { functionCall: { id: 'c1', name: 'glob', args: {} } }],
    tokens: null,
    model: undefined,
  }),
]

describe('an aborted turn, then a resume in a file of its own', () => {
  const early = logFile({ start: 1 }, [...rowsUntilAbort, ...copies, copies])
  const late = logFile({ start: 30 }, [copies, prompt('p3', 30), answer('a3', 31)])

  it('keeps the copies copies: no call is counted that was none', () => {
    const { session, summary } = summaryOf([early, late])
    expect(session.messages.find(({ key }) => key === 'b1')).toMatchObject({
      copyOf: 'a1',
      superseded: null,
      model: 'gemini-2.5-pro',
      toolCalls: [{ id: 'c1' }],
    })
    expect(summary.usage).toMatchObject({ calls: 2, callsWithoutTokens: 0, total: 230 })
    expect(summary.counts).toMatchObject({ prompts: 2, answers: 2, toolCalls: 1 })
  })
})

it('draws a copy like its original where an older file makes that richer', () => {
  const display = { fileDiff: '@@\n-x\n+y', fileName: 'a.js', originalContent: 'x', newContent: 'y' }
  const call = { id: 'c1', name: 'replace', args: {}, status: 'success' }
  const older = jsonFile({ start: 1 }, [
    prompt('p1', 1, 'go'),
    answer('a1', 2, { toolCalls: [{ ...call, resultDisplay: display }] }),
  ])
  const newer = logFile({ start: 1 }, [...rowsUntilAbort, ...copies, copies])
  const { session } = summaryOf([older, newer])
  const shown = session.messages.flatMap(({ toolCalls }) => toolCalls.map((each) => each.display?.kind))
  expect(shown).toEqual(['diff', 'diff'])
})

it('keeps what only one of two twins has, whichever went on last', () => {
  const start = [prompt('p1', 1), answer('a1', 2, { tokens: null })]
  const thoughts = [{ subject: 'Look', description: '', timestamp: at(2) }]
  const log = logFile({ start: 1 }, [...start, prompt('p2', 5), answer('a2', 6)])
  // An older CLI resumed the .json once more.
  const json = jsonFile({ start: 1 }, [prompt('p1', 1), answer('a1', 2, { thoughts }), prompt('p3', 9)])
  const { session, summary } = summaryOf([log, json])
  expect(session.messages.map(({ key, superseded }) => [key, superseded])).toEqual(
    ['p1', 'a1', 'p2', 'a2', 'p3'].map((key) => [key, null]),
  )
  expect(session.messages[1]?.thoughts).toHaveLength(1)
  expect(summary.usage).toMatchObject({ total: 230, callsWithoutTokens: 0 })
  expect(session.files.map(({ role, format }) => [role, format])).toEqual([
    ['current', 'json'],
    ['twin', 'jsonl'],
  ])
})

it('puts superseded messages of an older file behind their predecessor, live ones where their time says', () => {
  const older = logFile({ start: 1 }, [
    prompt('p1', 1),
    answer('a1', 2),
    prompt('r1', 3),
    answer('r2', 3),
    info('n1', 4, 'Model set to x'),
    { $rewindTo: 'r1' },
    info('n2', 5, 'Model set to y'),
    prompt('p2', 6),
  ])
  const newer = logFile({ start: 1 }, [prompt('p1', 1), answer('a1', 2), prompt('p2', 6), answer('a2', 7)])
  const { session } = summaryOf([newer, older])
  expect(session.messages.map(({ key }) => key)).toEqual(['p1', 'a1', 'r1', 'r2', 'n1', 'n2', 'p2', 'a2'])
})

it('finds the place by time among messages whose times go back', () => {
  const newer = logFile({ start: 1 }, [context(1), prompt('p1', 5), answer('a1', 3), prompt('p2', 9)])
  const older = logFile({ start: 1 }, [prompt('p1', 5), info('n1', 4, 'x'), info('n2', 2, 'y')])
  const { session } = summaryOf([newer, older])
  expect(session.messages.map(({ id }) => id.slice(0, 2))).toEqual(['d0', 'n2', 'p1', 'a1', 'n1', 'p2'])
})

it('lists each drawn message once where only an older file holds the beginning of a buried session', () => {
  const older = logFile({ start: 1 }, [prompt('p1', 1), prompt('p2', 3), { $rewindTo: 'p1' }])
  const newer = logFile({ start: 8 }, [prompt('p2', 3), answer('a2', 9), { $rewindTo: 'p2' }])
  const { session, summary } = summaryOf([older, newer])
  expect(session).toMatchObject({ buried: true, drawnKeys: ['p2', 'a2'] })
  expect(summary.endTime).toBe(at(9))
})

describe('M6: an answer that a document records several times', () => {
  const call = { id: 'c1', name: 'glob', args: {}, status: 'success' }
  const result = (output: string) => [{ functionResponse: { id: 'c1', name: 'glob', response: { output } } }]
  const spent = (input: number) => ({ input, output: 0, cached: 0, thoughts: 0, tool: 0, total: input })
  const document = jsonFile({ start: 1 }, [
    prompt('p1', 1),
    answer('a1', 2, {
      content: 'draft',
      tokens: spent(100),
      toolCalls: [{ ...call, result: result('whole') }],
    }),
    answer('a1', 2, { content: 'final', tokens: spent(200) }),
  ])
  const masked = [{ ...call, result: result('<tool_output_masked>short</tool_output_masked>') }]
  const logOf = (fields: object) =>
    logFile({ start: 1 }, [
      prompt('p1', 1),
      answer('a1', 2, { content: 'final', ...fields }),
      prompt('p2', 30),
    ])
  const told = (files: Parameters<typeof stitchGroup>[0]) => {
    const { session, summary } = summaryOf(files)
    const { calls, total } = summary.usage ?? {}
    const records = session.messages.filter(({ id }) => id === 'a1')
    return { calls, total, toolCalls: summary.counts?.toolCalls, records }
  }

  it('counts once beside another copy of the document, and beside the log of a resume', () => {
    expect(told([document])).toMatchObject({ calls: 1, total: 200, toolCalls: 1 })
    expect(told([document, { ...document, parsed: { ...document.parsed, path: 'b.json' } }])).toMatchObject({
      calls: 1,
      total: 200,
      toolCalls: 1,
    })
    for (const [tokens, total] of [
      [spent(200), 200],
      [spent(900), 900],
      [null, 200],
    ] as const) {
      for (const files of [
        [document, logOf({ tokens })],
        [logOf({ tokens }), document],
      ])
        expect(told(files)).toMatchObject({ calls: 1, total })
    }
  })

  it('gives the log what it left out, and says each of its words', () => {
    const { records, toolCalls } = told([document, logOf({ tokens: null, toolCalls: masked })])
    expect(toolCalls).toBe(1)
    expect(records.map(({ copyOf, content }) => [copyOf, content])).toMatchObject([
      [null, [{ text: 'final' }]],
      ['a1', [{ text: 'final' }]],
    ])
    expect(records[0]?.toolCalls).toMatchObject([{ output: { text: 'whole' } }])
  })
})
