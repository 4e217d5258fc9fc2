import { describe, expect, it } from 'vitest'
import { parseSessionFile } from './session-file.ts'

const START = { sessionId: 's', projectHash: 'p', startTime: '2026-11-21T20:30:00.000Z' }
const CALL_PART = { functionCall: { id: 'c', name: 'glob', args: {} } }
const CONTEXT = user('ctx', '<session_context>\nYou are in /shop.\n</session_context>')

describe('re-appended rows', () => {
  it('replace the message in its place; stale calls are gone', () => {
    const { messages } = replay([
      model('a', 'first', { toolCalls: [call('c1', 'x')] }),
      user('b', 'hi'),
      model('a', 'second', { toolCalls: [call('c2', 'y')] }),
    ])
    expect(messages.map(({ id }) => id)).toEqual(['a', 'b'])
    expect(messages[0]?.content).toEqual([{ kind: 'text', text: 'second' }])
    expect(messages[0]?.toolCalls.map(({ id }) => id)).toEqual(['c2'])
    expect(messages[0]?.source).toEqual({ file: 'a.jsonl', line: 4 })
  })

  it.each([undefined, null, { input: 0, output: 0, total: 0 }])('keep earlier tokens over %j', (tokens) => {
    const { messages } = replay([
      model('a', 'x', { tokens: { input: 10, output: 2, total: 12 } }),
      model('a', 'x', { tokens }),
    ])
    expect(messages[0]?.usage).toMatchObject({ input: 10, output: 2, total: 12, calls: 1 })
  })

  it('keep an output that a later row masked', () => {
    const { messages } = replay([
      model('a', '', { toolCalls: [call('c1', 'the whole output')] }),
      model('a', '', { toolCalls: [call('c1', '<tool_output_masked>\nshort\n</tool_output_masked>')] }),
    ])
    expect(messages[0]?.toolCalls[0]?.output).toEqual({ kind: 'text', text: 'the whole output' })
  })

  it('keep an output that stands only in a turn which a later row masked', () => {
    const { messages } = replay([
      model('a', [CALL_PART]),
      user('r', [response('c', 'the whole output')]),
      user('r', [response('c', '<tool_output_masked>…')]),
    ])
    expect(messages[0]?.toolCalls[0]?.output).toEqual({ kind: 'text', text: 'the whole output' })
  })

  it('keep an output beside another one that was masked before it', () => {
    const mask = '<tool_output_masked>…'
    const { messages } = replay([
      model('a', [CALL_PART, { functionCall: { id: 'd', name: 'glob', args: {} } }]),
      user('r', [response('c', mask), response('d', 'the whole output')]),
      user('r', [response('c', mask), response('d', mask)]),
    ])
    expect(messages[0]?.toolCalls[1]?.output).toEqual({ kind: 'text', text: 'the whole output' })
  })
})

describe('a rewrite of known messages', () => {
  it('decides order and survival only', () => {
    const { messages } = replay([
      user('u', 'typed', { displayContent: [{ text: 'typed' }] }),
      model('a', 'answer', {
        thoughts: [{ subject: 's', description: 'd' }],
        model: 'm',
        toolCalls: [call('c', 'o')],
      }),
      set([
        model('a', [{ text: '**s** d', thought: true }, { text: 'answer' }], { toolCalls: [] }),
        user('u', [{ text: 'typed and more' }]),
      ]),
    ])
    expect(messages.map(({ id }) => id)).toEqual(['a', 'u'])
    expect(messages[0]).toMatchObject({ content: [{ kind: 'text', text: 'answer' }], model: 'm' })
    expect(messages[0]?.thoughts).toHaveLength(1)
    expect(messages[0]?.toolCalls).toHaveLength(1)
    expect(messages[1]?.content).toEqual([{ kind: 'text', text: 'typed' }])
  })

  it('adds what no ordinary row had', () => {
    const { messages } = replay([model('a', ''), set([model('a', [{ text: 'late' }], { model: 'm' })])])
    expect(messages[0]).toMatchObject({ content: [{ kind: 'text', text: 'late' }], model: 'm' })
  })

  it('C14: names the line whose words it shows, where only rewrites tell them', () => {
    const later = user('ctx', '<session_context>\nYou are in /shop/cart.\n</session_context>')
    const { messages } = replay([
      set([CONTEXT]),
      user('u', 'hi'),
      set([CONTEXT, user('u', 'hi')]),
      set([later]),
    ])
    expect(messages[0]).toMatchObject({
      content: [{ text: expect.stringContaining('/shop/cart') }],
      source: { file: 'a.jsonl', line: 5, index: 0 },
    })
    expect(replay([set([CONTEXT]), set([CONTEXT])]).messages[0]?.source).toMatchObject({ line: 2, index: 0 })
  })

  it('takes a masked result from the turn that brought the whole one', () => {
    const masked = call('c', '<tool_output_masked>…</tool_output_masked>')
    const { messages } = replay([
      model('a', '', { toolCalls: [masked] }),
      user('r', [response('c', 'the whole output')]),
      set([model('a', '', { toolCalls: [masked] }), user('r', [response('c', '<tool_output_masked>…')])]),
    ])
    expect(messages[0]?.toolCalls[0]?.output).toEqual({ kind: 'text', text: 'the whole output' })
  })
})

describe('a log of rewrites only', () => {
  it('keeps an output that a later rewrite masked', () => {
    const state = (output: string) => set([model('a', [CALL_PART]), user('r', [response('c', output)])])
    const { messages } = replay([state('the whole output'), state('<tool_output_masked>…')])
    expect(messages[0]?.toolCalls[0]?.output).toEqual({ kind: 'text', text: 'the whole output' })
  })
})

describe('why a message is superseded', () => {
  it('rewound: by $rewindTo, and by the rewrite right after it', () => {
    const { messages } = replay([
      set([CONTEXT]),
      user('u1', 'one'),
      model('a1', 'One.'),
      user('u2', 'two'),
      { $rewindTo: 'u2' },
      { $set: { lastUpdated: '2026-11-21T20:31:00.000Z' } },
      set([user('u1', 'one'), model('a1', 'One.')]),
    ])
    expect(causes(messages)).toEqual({ ctx: 'rewound', u1: null, a1: null, u2: 'rewound' })
  })

  it('rewound: everything, where the id is unknown', () => {
    const { messages, buried, drawnKeys } = replay([
      user('u', 'one'),
      model('a', 'One.'),
      { $rewindTo: 'nobody' },
    ])
    expect(causes(messages)).toEqual({ u: 'rewound', a: 'rewound' })
    expect({ buried, drawnKeys }).toEqual({ buried: true, drawnKeys: ['u', 'a'] })
  })

  it('compacted: by a rewrite with a new snapshot; its notices are only replaced', () => {
    const { messages } = replay([
      user('u', 'one'),
      { id: 'n', type: 'info', content: 'note' },
      model('a', 'One.'),
      set([user('snap', '<state_snapshot>…</state_snapshot>'), model('ok', [{ text: 'Got it.' }])]),
    ])
    expect(causes(messages)).toEqual({ u: 'compacted', n: 'replaced', a: 'compacted', snap: null, ok: null })
  })

  it('aborted: the prompt of a failed request', () => {
    const { messages } = replay([
      set([CONTEXT]),
      user('u1', 'one'),
      model('a1', 'One.'),
      user('u2', 'two'),
      set([CONTEXT, user('u1', 'one'), model('a1', 'One.')]),
    ])
    expect(causes(messages)).toMatchObject({ u1: null, a1: null, u2: 'aborted' })
  })

  it('aborted: the first turn, of which only the context goes on under a new id', () => {
    const next = { ...CONTEXT, id: 'ctx2' }
    const { messages, buried } = replay([
      set([CONTEXT]),
      user('u1', 'one'),
      model('a1', ''),
      next,
      set([next]),
    ])
    expect(causes(messages)).toEqual({ ctx: 'replaced', u1: 'aborted', a1: 'aborted', ctx2: null })
    expect(buried).toBe(true)
  })

  it('replaced: where a new process overwrites the whole conversation', () => {
    const { messages, buried, drawnKeys } = replay([set([CONTEXT]), user('u1', 'one'), START, set([CONTEXT])])
    expect(causes(messages)).toEqual({ ctx: null, u1: 'replaced' })
    expect({ buried, drawnKeys }).toEqual({ buried: true, drawnKeys: ['ctx', 'u1'] })
  })

  it('replaced: by an empty rewrite', () => {
    const { messages } = replay([user('u1', 'one'), model('a1', 'One.'), user('u2', 'two'), set([])])
    expect(causes(messages)).toEqual({ u1: 'replaced', a1: 'replaced', u2: 'replaced' })
  })

  it('nothing, where a later rewrite brings it back', () => {
    const { messages } = replay([user('u', 'one'), { $rewindTo: 'u' }, set([user('u', 'one')])])
    expect(causes(messages)).toEqual({ u: null })
  })
})

describe('copies under new ids', () => {
  const TURN = [
    set([CONTEXT]),
    user('u1', 'go on'),
    model('a1', 'Going.'),
    user('u2', 'go on'),
    model('a2', 'Gone.'),
  ]

  it('are matched in order, each original once', () => {
    const rows = [user('v1', 'go on'), model('b1', [{ text: 'Going.' }]), user('v2', 'go on')]
    const { messages } = replay([...TURN, ...rows, set(rows)])
    expect(Object.fromEntries(messages.map(({ id, copyOf }) => [id, copyOf]))).toMatchObject({
      v1: 'u1',
      b1: 'a1',
      v2: 'u2',
    })
    expect(causes(messages)).toMatchObject({ u1: 'replaced', a1: 'replaced', u2: 'replaced', a2: 'aborted' })
  })

  it('are no copies where the list is not exactly the last rows', () => {
    const rows = [user('v1', 'go on'), model('b1', [{ text: 'Going.' }])]
    const { messages } = replay([...TURN, ...rows, set([rows[0] ?? {}])])
    expect(messages.every(({ copyOf }) => copyOf === null)).toBe(true)
  })

  it('are no copies where people only repeat themselves', () => {
    const { messages } = replay([...TURN, user('u3', 'go on')])
    expect(messages.every(({ copyOf }) => copyOf === null)).toBe(true)
  })
})

describe('$patch, of versions after 0.61', () => {
  it('adds results and content, removes and orders', () => {
    const { messages, issues } = replay([
      model('a', '', { toolCalls: [{ id: 'c', name: 'glob', args: {} }] }),
      user('b', 'two'),
      user('c', 'three'),
      { $patch: { id: 'a', content: 'said', toolCalls: [{ id: 'c', result: [response('c', 'found')] }] } },
      { $patch: { updates: [{ id: 'nobody' }], removeIds: ['b'], orderIds: ['a', 'nobody'] } },
    ])
    expect(messages.map(({ id, superseded }) => [id, superseded])).toEqual([
      ['c', null],
      ['a', null],
      ['b', 'replaced'],
    ])
    expect(messages[1]).toMatchObject({ content: [{ kind: 'text', text: 'said' }] })
    expect(messages[1]?.toolCalls[0]).toMatchObject({
      status: 'success',
      output: { kind: 'text', text: 'found' },
    })
    expect(issues.map(({ code }) => code)).toEqual(['bad-field'])
  })
})

describe('metadata', () => {
  it('keeps the last value of each field, the first and the earliest startTime', () => {
    const { header } = replay([
      { ...START, startTime: '2026-11-21T20:29:00.000Z', kind: 'main', summary: 'one' },
      { $set: { summary: 'two', lastUpdated: '2026-11-22T00:00:00+01:00', directories: ['/a', 5] } },
    ])
    expect(header).toEqual({
      sessionId: 's',
      projectHash: 'p',
      firstStartTime: '2026-11-21T20:30:00.000Z',
      startTime: '2026-11-21T20:29:00.000Z',
      lastUpdated: '2026-11-21T23:00:00.000Z',
      kind: 'main',
      summary: 'two',
      directories: ['/a'],
    })
  })
})

describe('rows without id', () => {
  it('are ignored by the CLI and kept once, as superseded', () => {
    const row = { type: 'user', content: 'lost' }
    const { messages } = replay([row, set([row]), user('a', 'hi')])
    expect(messages.map(({ key, superseded }) => [key, superseded])).toEqual([
      ['~1', 'replaced'],
      ['a', null],
    ])
  })
})

function replay(rows: readonly object[]) {
  const text = [START, ...rows].map((row) => `${JSON.stringify(row)}\n`).join('')
  return parseSessionFile({ path: 'a.jsonl', bytes: new TextEncoder().encode(text) })
}

function causes(messages: readonly { id: string; superseded: string | null }[]) {
  return Object.fromEntries(messages.map(({ id, superseded }) => [id, superseded]))
}

function set(messages: readonly object[]) {
  return { $set: { messages } }
}

function user(id: string, content: unknown, more: object = {}) {
  return { id, timestamp: '2026-11-21T20:30:00.000Z', type: 'user', content, ...more }
}

function model(id: string, content: unknown, more: object = {}) {
  return { id, timestamp: '2026-11-21T20:30:00.000Z', type: 'gemini', content, ...more }
}

function call(id: string, output: string) {
  return { id, name: 'glob', args: {}, status: 'success', result: [response(id, output)] }
}

function response(id: string, output: string) {
  return { functionResponse: { id, name: 'glob', response: { output } } }
}

describe('a later run that goes on in the same file', () => {
  const TALK = [CONTEXT, user('u', 'Hello'), model('a', 'Hi')]
  const SESSION_ID = { $set: { sessionId: 's' } }
  const resumedIds = (records: object[]) => {
    const { messages, resumedKeys } = replay(records)
    return messages.filter(({ key }) => resumedKeys.includes(key)).map(({ id }) => id)
  }

  it('is told by what it adds first', () => {
    const again = [SESSION_ID, set([...TALK, user('u_response', 'Hello')]), user('b', 'And now?')]
    expect(resumedIds([...TALK, ...again, model('c', 'That.')])).toEqual(['b'])
  })

  it('is told without a rewrite (0.39 to 0.43), and as often as it happens', () => {
    expect(resumedIds([...TALK, SESSION_ID, user('b', '1'), SESSION_ID, user('c', '2')])).toEqual(['b', 'c'])
  })

  it('is told where a run of the same minute wrote its metadata again', () => {
    const again = [{ ...START, kind: 'main' }, set([CONTEXT]), SESSION_ID, set(TALK), user('b', 'And now?')]
    expect(resumedIds([...TALK, ...again])).toEqual(['b'])
  })

  it('is not told of a compression, which writes the same line', () => {
    const snapshot = user('snap', '<state_snapshot>All so far</state_snapshot>')
    const rewritten = [SESSION_ID, set([CONTEXT, snapshot]), { ...user('i', ''), type: 'info' }]
    expect(resumedIds([...TALK, ...rewritten, user('b', 'Go on')])).toEqual([])
    expect(resumedIds([...TALK, SESSION_ID, { ...user('i', ''), type: 'info' }, user('b', 'Go on')])).toEqual(
      [],
    )
  })

  it('is not told of a first run, nor of one that added nothing', () => {
    expect(resumedIds([SESSION_ID, ...TALK])).toEqual([])
    expect(resumedIds([...TALK, SESSION_ID, set(TALK), model('a', 'Hi')])).toEqual([])
  })
})
