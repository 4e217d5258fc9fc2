import { describe, expect, it } from 'vitest'
import {
  answer,
  at,
  context,
  type FileSpec,
  info,
  jsonFile,
  logFile,
  prompt,
  rawFile,
} from '../../test/make-file.ts'
import { type SessionSummary, sessionSummarySchema } from '../model/session-summary.ts'
import type { StitchFile } from './files.ts'
import { stitchGroup } from './stitch.ts'
import { summarizeSession } from './summary.ts'

const project = { key: 'k', name: 'shop', path: null }

function summarize(...files: StitchFile[]): SessionSummary {
  const [session] = stitchGroup(files)
  if (session === undefined) throw new Error('no session')
  // One dollar per token; one model has no price.
  const summary = summarizeSession(session, {
    project,
    priceCall: ({ model, usage }) => (model === 'secret-model' ? null : usage.total),
  })
  return sessionSummarySchema.parse(summary)
}

const call = (name: string, fields: Record<string, unknown> = {}) => ({
  id: `${name}-1`,
  name,
  args: {},
  status: 'success',
  timestamp: at(2),
  result: [{ functionResponse: { id: `${name}-1`, name, response: { output: 'ok' } } }],
  ...fields,
})

describe('the title', () => {
  const titled = (
    fields: Record<string, unknown>,
    rows = [prompt('p1', 1, 'Fix the\n  rounding'), answer('a1', 2)],
  ) => {
    const { title, titleSource } = summarize(jsonFile({ start: 1, fields }, rows))
    return [title, titleSource]
  }

  it('is the summary, cleaned of lines, marks and JSON', () => {
    expect(titled({ summary: 'Rounding of prices' })).toEqual(['Rounding of prices', 'summary'])
    expect(titled({ summary: '{"count": 2}' })).toEqual(['Fix the rounding', 'prompt'])
    expect(titled({ summary: '\u001b[31mRed\u001b[0m \u202eevil' })).toEqual(['Red evil', 'summary'])
    expect(titled({ summary: '\n## **Rounding**\nmore' })).toEqual(['Rounding', 'summary'])
    expect(titled({ summary: '{\n "answer": "Two modules."\n}' })).toEqual(['Two modules.', 'summary'])
  })

  it('is the newest topic before any prompt', () => {
    const topic = (title: string) =>
      answer(title, 2, { toolCalls: [call('update_topic', { args: { title } })] })
    expect(titled({}, [prompt('p1', 1), topic('First'), topic('Second')])).toEqual(['Second', 'topic'])
  })

  it('is the first prompt that is no command, on one line', () => {
    const shell =
      'I ran the following shell command:\n```sh\nls -l\n```\n\nThis produced the following result:\n```\n```'
    expect(titled({})).toEqual(['Fix the rounding', 'prompt'])
    expect(
      titled({}, [prompt('p0', 1, '/help'), prompt('p1', 1, shell), prompt('p2', 2, 'Grüße, 你好 👋')]),
    ).toEqual(['Grüße, 你好 👋', 'prompt'])
    expect(titled({}, [prompt('p1', 1, shell)])).toEqual(['!ls -l', 'prompt'])
    const tags = 'Why is <objective> there?'
    expect(titled({}, [prompt('p1', 1, tags)])).toEqual([tags, 'prompt'])
  })

  it('is cut between characters', () => {
    const [title] = titled({}, [prompt('p1', 1, '👋'.repeat(400))])
    expect(title).toBe(`${'👋'.repeat(159)}…`)
  })

  it('of a sub-agent is its task, for its summary is its answer', () => {
    const task =
      'Your task is to do a deep investigation of the codebase to solve:\n<objective>\nList src\n</objective>'
    const spec: FileSpec = { start: 1, kind: 'subagent', fields: { summary: '{"Found":"two"}' } }
    const row = summarize(logFile(spec, [prompt('p1', 1, task), answer('a1', 2)]))
    expect([row.kind, row.title, row.titleSource]).toEqual(['subagent', 'List src', 'prompt'])
  })

  it('of a sub-agent is never the context that stands before its task', () => {
    const apart = logFile({ start: 1, kind: 'subagent' }, [context(1), prompt('p1', 1, 'Map the shop')])
    expect(summarize(apart)).toMatchObject({ title: 'Map the shop', firstPrompt: 'Map the shop' })
    const [{ text }] = context(1).content as [{ text: string }]
    const merged = { ...prompt('p1', 1), content: [{ text }, { text: 'Map the shop' }] }
    expect(summarize(logFile({ start: 1, kind: 'subagent' }, [merged])).title).toBe('Map the shop')
  })

  it('of a session that was compacted or refused is still its first prompt', () => {
    const refused = logFile({ start: 1 }, [[context(1)], prompt('p1', 1, 'Make it fail'), [context(1)]])
    expect(summarize(refused)).toMatchObject({ title: 'Make it fail', buried: true, ended: 'stopped' })
  })

  it('is empty where nothing was said', () => {
    expect(titled({}, [info('n1', 1, 'Update available')])).toEqual(['', 'none'])
  })
})

describe('the numbers', () => {
  it('count each call once, superseded ones as spent but not as live', () => {
    const row = summarize(
      logFile({ start: 1 }, [
        prompt('p1', 1),
        answer('a1', 2),
        answer('a1', 2, { toolCalls: [call('glob'), call('run_shell_command', { status: 'error' })] }),
        prompt('p2', 3),
        answer('a2', 4, { model: 'secret-model' }),
        { $rewindTo: 'p2' },
        prompt('p3', 5),
        answer('a3', 6, { tokens: null }),
        info('n1', 7, 'Model set to x'),
      ]),
    )
    expect(row.counts).toEqual({
      messages: 7,
      prompts: 2,
      answers: 2,
      thoughts: 0,
      toolCalls: 2,
      toolErrors: 1,
      notices: 1,
      superseded: 2,
    })
    expect(row.usage).toMatchObject({ input: 200, cached: 80, total: 230, calls: 3, callsWithoutTokens: 1 })
    expect(row.liveUsage).toMatchObject({ input: 100, total: 115, calls: 2, callsWithoutTokens: 1 })
    expect(row.cost).toEqual({ usd: 115, unpricedCalls: 1 })
    expect(row.models).toEqual([
      { name: 'gemini-2.5-pro', calls: 2 },
      { name: 'secret-model', calls: 1 },
    ])
    expect(row.trace).toEqual([
      { tokens: 115, failed: true, calls: 1, failures: 1 },
      { tokens: 115, failed: false, calls: 1, failures: 0 },
      { tokens: 0, failed: false, calls: 1, failures: 0 },
    ])
    expect([row.startTime, row.endTime]).toEqual([at(1), at(7)])
  })

  it('draw long sessions in 28 points and keep their peaks', () => {
    const total = (index: number) => (index === 137 ? 9000 : 100)
    const rows = Array.from({ length: 200 }, (_, index) =>
      answer(`a${index}`, index, {
        tokens: { input: 1, output: 1, cached: 0, thoughts: 0, tool: 0, total: total(index) },
      }),
    )
    const { trace } = summarize(logFile({ start: 0 }, rows))
    expect(trace).toHaveLength(28)
    expect(trace.filter((point) => point.tokens === 9000)).toHaveLength(1)
  })

  it('count an id once that stands twice in a JSON file', () => {
    const repeated = jsonFile({ start: 1 }, [
      prompt('p1', 1),
      prompt('p1', 1),
      answer('a1', 2),
      answer('a1', 2),
    ])
    expect(summarize(repeated)).toMatchObject({
      counts: { messages: 4, prompts: 1, answers: 1 },
      usage: { calls: 1, callsWithoutTokens: 0, total: 115 },
      liveUsage: { calls: 1, total: 115 },
    })
  })

  it('of a damaged file are 0, its cost unknown, its times never missing', () => {
    const row = summarize(rawFile({ start: 1 }, 'jsonl', 'version https://git-lfs.github.com/spec/v1\n'))
    expect(row.counts?.messages).toBe(0)
    expect(row.usage?.calls).toBe(0)
    expect(row.cost).toEqual({ usd: null, unpricedCalls: 0 })
    expect([row.startTime, row.endTime, row.lastUpdated]).toEqual([at(1), at(1), at(1)])
    expect(row.issues).toBeGreaterThan(0)
    expect(row.files[0]?.role).toBe('damaged')
  })
})

describe('a session in which nothing was ever said', () => {
  const isEmpty = (rows: ReturnType<typeof prompt>[], fields: Record<string, unknown> = {}) =>
    summarize(logFile({ start: 1, fields }, rows)).empty

  it('T9: has context, metadata and notices alone', () => {
    expect(isEmpty([])).toBe(true)
    expect(isEmpty([context(1)])).toBe(true)
    expect(isEmpty([context(1), info('n1', 2, 'Update available')])).toBe(true)
    expect(summarize(jsonFile({ start: 1 }, [])).empty).toBe(true)
  })

  it('T9: is none with a prompt, a command, an answer or what was taken back', () => {
    expect(isEmpty([context(1), prompt('p1', 2, 'hello')])).toBe(false)
    expect(isEmpty([prompt('p1', 2, '/help')])).toBe(false)
    expect(isEmpty([answer('a1', 2)])).toBe(false)
    const rewound = summarize(
      logFile({ start: 1 }, [prompt('p1', 1, 'hello'), answer('a1', 2), { $rewindTo: 'no such message' }]),
    )
    expect([rewound.buried, rewound.empty]).toEqual([true, false])
  })

  it('T9: is none where something could not be read, and a sub-agent is none', () => {
    expect(summarize(rawFile({ start: 1 }, 'jsonl', '')).empty).toBe(false)
    expect(summarize(rawFile({ start: 1 }, 'jsonl', '{"sessionId":"a","projectHash":"f"}\n{"to')).empty).toBe(
      false,
    )
    expect(isEmpty([], { kind: 'subagent' })).toBe(false)
  })
})

describe('how it ended', () => {
  const ended = (...rows: ReturnType<typeof prompt>[]) => summarize(logFile({ start: 1 }, rows)).ended
  const talk = [prompt('p1', 1), answer('a1', 2)]
  const error = { ...info('e1', 3, '[API Error: quota]'), type: 'error' }

  it('is nothing to tell of if an answer or a notice of something else is last', () => {
    expect(ended(...talk)).toBeNull()
    expect(ended(...talk, info('n1', 3, 'Update available'))).toBeNull()
    expect(ended(prompt('p0', 0), error, ...talk)).toBeNull()
    for (const text of [
      'Automatic update failed. Please try updating manually.',
      'Unknown command: /foo',
      "Error during discovery for MCP server 'github': fetch failed",
    ]) {
      expect(ended(...talk, { ...info('n1', 3, text), type: 'error' })).toBeNull()
    }
  })

  it('is an error, also with a hint after it', () => {
    expect(ended(...talk, prompt('p2', 3), error, info('n1', 4, 'This request failed. Press F12'))).toBe(
      'error',
    )
  })

  it('is a stop after a cancelled request, a refused tool or a cut answer', () => {
    expect(ended(...talk, info('n1', 3, 'Request cancelled.'))).toBe('stopped')
    expect(ended(...talk, info('n1', 3, 'Response truncated due to token limits.'))).toBe('stopped')
    expect(
      ended(prompt('p1', 1), answer('a1', 2, { toolCalls: [call('replace', { status: 'cancelled' })] })),
    ).toBe('stopped')
  })
})
