import { describe, expect, it } from 'vitest'
import { Problems } from '../problems.ts'
import { hasTokens, toUsage } from './tokens.ts'

const WHOLE = { input: 1000, output: 50, cached: 400, thoughts: 20, tool: 7, total: 1077 }
const read = (tokens: unknown) => {
  const problems = new Problems()
  return { usage: toUsage(tokens, 'line 1', problems), problems }
}

describe('M6: tokens under other names', () => {
  it.each<[string, object]>([
    ['the CLI', WHOLE],
    [
      'the API',
      {
        promptTokenCount: 1000,
        candidatesTokenCount: 50,
        cachedContentTokenCount: 400,
        thoughtsTokenCount: 20,
        toolUsePromptTokenCount: 7,
        totalTokenCount: 1077,
        promptTokensDetails: [{ modality: 'TEXT', tokenCount: 1000 }],
      },
    ],
    [
      'the API in snake_case',
      {
        prompt_token_count: 1000,
        candidates_token_count: 50,
        cached_content_token_count: 400,
        thoughts_token_count: 20,
        tool_use_prompt_token_count: 7,
        total_token_count: 1077,
      },
    ],
    [
      'telemetry',
      {
        input_token_count: 1000,
        output_token_count: 50,
        cached_content_token_count: 400,
        thoughts_token_count: 20,
        tool_token_count: 7,
        total_token_count: 1077,
      },
    ],
    [
      'the table of /stats',
      { prompt: 1000, candidates: 50, cached: 400, thoughts: 20, tool: 7, total: 1077 },
    ],
    [
      'other programs',
      {
        inputTokens: 1000,
        outputTokens: 50,
        cachedTokens: 400,
        thoughts_tokens: 20,
        tool: 7,
        totalTokens: 1077,
      },
    ],
    [
      'the CLI, with digits as texts',
      Object.fromEntries(Object.entries(WHOLE).map(([name, count]) => [name, `${count}`])),
    ],
    ['two at once, of which the own name goes first', { promptTokenCount: 9, ...WHOLE }],
    ['two at once, of which the own name says nothing', { ...WHOLE, input: 0, promptTokenCount: 1000 }],
  ])('by %s are read', (_, tokens) => {
    const { usage } = read(tokens)
    expect(usage).toEqual({ ...WHOLE, calls: 1, callsWithoutTokens: 0 })
    expect(hasTokens(tokens)).toBe(true)
  })

  it('that are known are no drift', () => {
    const { problems } = read({ promptTokenCount: 10, candidates_token_count: 5 })
    expect([problems.issues, problems.drift]).toEqual([[], []])
  })

  it('that are not known are counted and named, and never priced as if they were all', () => {
    const { usage, problems } = read({
      ...WHOLE,
      audio: 300,
      cache_read_input_tokens: '12',
      nested: { video: [4] },
    })
    expect(usage).toEqual({ ...WHOLE, calls: 1, callsWithoutTokens: 0, unknownFigures: 3 })
    expect(problems.drift.map(({ where, name }) => `${where} ${name}`)).toEqual([
      'tokens audio',
      'tokens cache_read_input_tokens',
      'tokens nested',
    ])
    expect(read({ audio: 300 }).usage).toMatchObject({ input: 0, total: 0, unknownFigures: 1 })
    expect(read({ input: 'many', output: 5 }).usage).toMatchObject({ output: 5, unknownFigures: 1 })
  })

  it('that are not known take the place of none that is', () => {
    for (const tokens of [{ audio: 300 }, { input: -1 }, { input: 'many' }])
      expect([read(tokens).usage?.unknownFigures, hasTokens(tokens)]).toEqual([1, false])
  })

  it('that say nothing make no figure', () => {
    for (const beside of [
      { audio: 0 },
      { tier: 'standard' },
      { isFree: true },
      { speed: 1.5 },
      { audio: null },
    ])
      expect(read({ ...WHOLE, ...beside }).usage).not.toHaveProperty('unknownFigures')
    for (const nothing of [{}, { input: 0, promptTokenCount: 0 }, { total: 'none' }, { input: null }])
      expect([read(nothing).usage, hasTokens(nothing)]).toEqual([null, false])
  })
})
