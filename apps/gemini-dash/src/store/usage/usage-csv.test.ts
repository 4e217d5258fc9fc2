import type { UsageReport, UsageRow } from '@gemini-dash/api'
import { NO_COST, NO_USAGE } from 'gemini-sessions'
import { describe, expect, it } from 'vitest'
import { usageCsv } from './usage-csv.ts'

const usage = { ...NO_USAGE, input: 1_200, cached: 200, output: 30, total: 1_230, calls: 2 }
const part = { usage, cost: { usd: 0.0000125, unpricedCalls: 1 }, sessions: 1 }
const row = (key: string, label = key): UsageRow => ({ key, label, ...part, calls: 2 })

const linesOf = (rows: UsageRow[], query: Parameters<typeof usageCsv>[1]) => {
  const report: Pick<UsageReport, 'rows' | 'total'> = {
    rows,
    total: {
      usage: NO_USAGE,
      cost: NO_COST,
      calls: 0,
      sessions: 0,
      toolCalls: 0,
      failures: { tools: 0, refused: 0, unanswered: 0 },
      fates: { laterSucceeded: 0, stillFailing: 0, neverRerun: 0 },
    },
  }
  return usageCsv(report, query).split('\r\n')
}

const HEAD =
  'sessions,calls,calls_without_tokens,input_tokens,cached_tokens,output_tokens,thoughts_tokens,tool_tokens,total_tokens,cost_usd,calls_without_price'

describe('usage as CSV', () => {
  it('is a line a row, exact, with a head and an end of line after the last', () => {
    expect(linesOf([row('2026-11-20')], { by: 'day' })).toEqual([
      `day,${HEAD}`,
      '2026-11-20,1,2,0,1200,200,30,0,0,1230,0.0000125,1',
      '',
    ])
  })

  it('leaves an unknown price empty instead of 0', () => {
    const unknown = { ...row('mystery'), cost: { usd: null, unpricedCalls: 2 } }
    expect(linesOf([unknown], { by: 'model' })[1]).toMatch(/,1230,,2$/)
  })

  it('has a line for each part of a day', () => {
    const day = {
      ...row('2026-11-20'),
      models: [{ name: 'pro', ...part }],
      projects: [{ key: 'k', name: 'shop', ...part }],
    }
    expect(linesOf([day], { by: 'day', split: 'model' })[1]).toMatch(/^2026-11-20,pro,1,2,/)
    expect(linesOf([day], { by: 'day', split: 'project' })[1]).toMatch(/^2026-11-20,shop,1,2,/)
    expect(linesOf([{ ...day, key: '2026-11' }], { by: 'month', split: 'project' })[0]).toMatch(
      /^month,project,/,
    )
  })

  it('counts tools by calls and failures', () => {
    const tool = {
      ...row('edit'),
      usage: null,
      cost: null,
      errors: 1,
      outputTokensEstimate: 40,
      maxTimeMs: 1_500,
      timedCalls: 2,
    }
    expect(linesOf([tool], { by: 'tool' })).toEqual([
      'tool,sessions,calls,failed_calls,output_tokens_estimate,max_time_ms,timed_calls',
      'edit,1,2,1,40,1500,2',
      '',
    ])
  })

  it('quotes what would break a line', () => {
    expect(linesOf([row('k', 'say "hi", then go')], { by: 'session' })[1]).toMatch(
      /^"say ""hi"", then go",k,/,
    )
  })

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx'])('lets no spreadsheet run %j', (title) => {
    expect(linesOf([row('k', title)], { by: 'session' })[1]).toContain(`'${title},k,`)
  })
})
