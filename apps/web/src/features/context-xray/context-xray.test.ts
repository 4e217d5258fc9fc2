import fc from 'fast-check'
import type { ContextBlock, ContextCall, ContextXray } from 'gemini-sessions'
import { describe, expect, test } from 'vitest'
import { callBlocks } from './call-blocks.tsx'
import { promptSentence } from './prompt-sentence.ts'
import { XRAY_LAYOUT, xrayGeometry, xrayStepAt } from './xray-geometry.ts'
import { blockTones, xraySeries } from './xray-series.ts'

const result = (name: string): ContextBlock => ({ kind: 'tool-result', name })
const BLOCKS: ContextBlock[] = [
  { kind: 'baseline', name: '' },
  { kind: 'unrecorded', name: '' },
  { kind: 'prompt', name: '' },
  { kind: 'tool-call', name: 'read_file' },
  result('read_file'),
  { kind: 'tool-call', name: 'glob' },
  result('glob'),
]

function call(index: number, tokens: number[], fields: Partial<ContextCall> = {}): ContextCall {
  return {
    messageKey: `m${index}`,
    offset: index * 2,
    turn: 1,
    superseded: null,
    isAgent: false,
    input: tokens.reduce((sum, each) => sum + each, 0),
    cached: 0,
    before: index === 0 ? null : index - 1,
    resent: 0,
    inputUsd: null,
    savedUsd: null,
    tokens,
    scale: 1,
    grew: null,
    ...fields,
  }
}

function xrayOf(calls: ContextCall[], fields: Partial<ContextXray> = {}): ContextXray {
  const none = { usd: null, unpricedCalls: 0 }
  const totals = { input: 0, cached: 0, resent: 0, cost: none, saved: none }
  return { blocks: BLOCKS, calls, totals, items: [], compressions: [], ...fields }
}

function geometryOf(xray: ContextXray, width = 800) {
  return xrayGeometry(xray, xraySeries(xray, blockTones(xray)), width)
}

describe('the areas', () => {
  test('stand in the order of who speaks, the tool that brought most first, what is unexplained on top', () => {
    const xray = xrayOf([call(0, [10, 5, 3, 1, 20, 1, 40])])
    const series = xraySeries(xray, blockTones(xray))
    expect(series.map(({ name, blocks }) => [name, blocks])).toEqual([
      ['System and tools', [0]],
      ['Prompts', [2]],
      ['FindFiles results', [6]],
      ['ReadFile results', [4]],
      ['Answers and calls', [3, 5]],
      ['Not recorded', [1]],
    ])
  })

  test('from the fourth tool on are one', () => {
    const names = ['a', 'b', 'c', 'd', 'e']
    const xray = xrayOf([call(0, [50, 40, 30, 20, 10])], { blocks: names.map(result) })
    const series = xraySeries(xray, blockTones(xray))
    expect(series.map(({ name }) => name)).toEqual([
      'a results',
      'b results',
      'c results',
      'Results of other tools',
    ])
    expect(series.at(-1)?.blocks).toEqual([3, 4])
  })

  test('reach up to the recorded input in every step', () => {
    const tokens = fc.array(fc.integer({ min: 0, max: 90_000 }), { minLength: 7, maxLength: 7 })
    fc.assert(
      fc.property(fc.array(tokens, { minLength: 1, maxLength: 30 }), (rows) => {
        fc.pre(rows.some((row) => row.some((each) => each > 0)))
        const { areas, inputPath } = geometryOf(xrayOf(rows.map((row, index) => call(index, row))))
        expect(areas[0]?.path.startsWith(inputPath)).toBe(true)
      }),
    )
  })
})

describe('the steps', () => {
  test('are the calls where there is room, and else the largest of several', () => {
    const few = geometryOf(xrayOf([call(0, [10]), call(1, [20])]))
    expect(few.steps.map(({ first, last }) => [first, last])).toEqual([
      [1, 1],
      [2, 2],
    ])
    const many = geometryOf(
      xrayOf(Array.from({ length: 10_000 }, (_, index) => call(index, [index === 7_123 ? 900 : 10]))),
    )
    expect(many.steps.length).toBeLessThanOrEqual(
      Math.floor((800 - XRAY_LAYOUT.left - XRAY_LAYOUT.right) / 3),
    )
    expect(many.steps.at(-1)?.last).toBe(10_000)
    expect(many.steps.find(({ call: { input } }) => input === 900)?.number).toBe(7_124)
  })

  test('are found under the pointer, and nothing beside them', () => {
    const geometry = geometryOf(xrayOf([call(0, [10]), call(1, [20])]))
    expect(xrayStepAt(geometry, XRAY_LAYOUT.left + 1)).toBe(0)
    expect(xrayStepAt(geometry, XRAY_LAYOUT.left + geometry.step + 1)).toBe(1)
    expect(xrayStepAt(geometry, 780)).toBeNull()
    expect(xrayStepAt(geometry, XRAY_LAYOUT.left - 1)).toBeNull()
  })

  test('say where the context was compressed, from what to what', () => {
    const calls = [call(0, [10]), call(1, [90]), call(2, [95], { superseded: 'rewound' }), call(3, [20])]
    const { seams, steps } = geometryOf(xrayOf(calls, { compressions: [5] }))
    expect(seams).toEqual([{ x: steps[3]?.x, inputBefore: 90, inputAfter: 20 }])
  })

  test('that were taken back lie under one veil each cause', () => {
    const rewound = { superseded: 'rewound' } as const
    const calls = [call(0, [10]), call(1, [20], rewound), call(2, [30], rewound), call(3, [20])]
    const { veils, step } = geometryOf(xrayOf(calls))
    expect(veils.map(({ cause, width }) => [cause, Math.round(width / step)])).toEqual([['rewound', 2]])
  })

  test('are no walls where there are few', () => {
    expect(geometryOf(xrayOf([call(0, [10])])).step).toBeLessThan(100)
  })
})

describe('a call', () => {
  const calls = [
    call(0, [100, 0, 10, 1, 5, 0, 0]),
    call(1, [100, 0, 10, 3, 205, 2, 40], { grew: { block: 4, tokens: 200 } }),
  ]
  const xray = xrayOf(calls)

  test('is told by its blocks, the largest first, with what came to each', () => {
    const { rows } = callBlocks(xray, blockTones(xray), calls[1] ?? call(1, []))
    expect(rows.filter(({ grewMost }) => grewMost).map(({ name }) => name)).toEqual(['ReadFile results'])
    expect(rows.map(({ name, tokens, more }) => [name, tokens, more])).toEqual([
      ['ReadFile results', 205, 200],
      ['System and tools', 100, 0],
      ['FindFiles results', 40, 40],
      ['Prompts', 10, 0],
      ['Tool calls', 5, 4],
    ])
    const first = callBlocks(xray, blockTones(xray), calls[0] ?? call(0, []))
    expect(first.rows.map(({ more }) => more)).toEqual([null, null, null, null])
  })

  test('is told in words', () => {
    expect(promptSentence(xray, 1)).toBe(
      'Call 2, turn 1: 360 tokens sent, ReadFile results 57 %, System and tools 28 %, FindFiles results 11 %, grew by ReadFile results',
    )
  })
})
