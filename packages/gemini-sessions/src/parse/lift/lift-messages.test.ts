import { describe, expect, it } from 'vitest'
import { Problems } from '../problems.ts'
import { createEntry } from '../row.ts'
import { liftMessages } from './lift.ts'

describe('calls that only stand in the content (0.44+)', () => {
  it('become calls, answered by the turn that follows', () => {
    const { messages } = lift([
      model([{ text: 'Let me see.' }, { functionCall: { id: 'c1', name: 'glob', args: { pattern: '*' } } }]),
      model([{ functionCall: { id: 'c2', name: 'glob', args: {} } }]),
      user([{ functionResponse: { id: 'c1', name: 'glob', response: { output: 'a.js' } } }]),
    ])
    expect(messages[0]?.toolCalls).toMatchObject([{ id: 'c1', status: 'success', output: { text: 'a.js' } }])
    expect(messages[1]?.toolCalls).toMatchObject([
      { id: 'c2', status: 'unanswered', output: { kind: 'empty' } },
    ])
    expect(messages[2]).toMatchObject({ origin: 'tool-result', content: [] })
  })

  it('are answered by a turn that is a single part', () => {
    const { messages } = lift([
      model([{ functionCall: { id: 'c1', name: 'glob', args: {} } }]),
      user({ functionResponse: { id: 'c1', name: 'glob', response: { output: 'a.js' } } }),
    ])
    expect(messages[0]?.toolCalls).toMatchObject([{ status: 'success', output: { text: 'a.js' } }])
  })

  it('are answered by the turn where the recorded result is an empty list', () => {
    const { messages } = lift([
      { ...model(''), toolCalls: [{ id: 'c1', name: 'glob', status: 'success', result: [] }] },
      user([{ functionResponse: { id: 'c1', name: 'glob', response: { output: 'a.js' } } }]),
    ])
    expect(messages[0]?.toolCalls).toMatchObject([{ status: 'success', output: { text: 'a.js' } }])
  })

  it('are not doubled where the message also records them', () => {
    const { messages } = lift([
      {
        ...model([{ functionCall: { id: 'c1', name: 'glob', args: {} } }]),
        toolCalls: [{ id: 'c1', name: 'glob' }],
      },
    ])
    expect(messages[0]?.toolCalls).toHaveLength(1)
  })
})

describe('M6: thoughts', () => {
  const NAMELESS = 'Only words.'
  it.each<[string, unknown, [string, string][]]>([
    ['a text', NAMELESS, [['', NAMELESS]]],
    ['a text with its subject', '**Plan** read it', [['Plan', 'read it']]],
    ['one object', { subject: 'Plan', description: 'read it' }, [['Plan', 'read it']]],
    ['one part', { text: '**Plan** read it', thought: true }, [['Plan', 'read it']]],
    [
      'texts',
      ['**Plan**\nread it', NAMELESS],
      [
        ['Plan', 'read it'],
        ['', NAMELESS],
      ],
    ],
    [
      'parts',
      [{ text: '**Plan** read it', thought: true }, { text: NAMELESS }],
      [
        ['Plan', 'read it'],
        ['', NAMELESS],
      ],
    ],
    [
      'lists in a list',
      [[{ subject: 'Plan', description: '' }], NAMELESS],
      [
        ['Plan', ''],
        ['', NAMELESS],
      ],
    ],
    ['an object of another form', [{ idea: 'heron', weight: 2 }], [['', '{"idea":"heron","weight":2}']]],
    ['an empty text', '', []],
    ['nothing', null, []],
    ['a number', 7, []],
    ['an empty object', {}, []],
  ])('are read from %s', (_, thoughts, expected) => {
    const { messages } = lift([{ ...model('ok'), thoughts }])
    expect(messages[0]?.thoughts.map(({ subject, description }) => [subject, description])).toEqual(expected)
  })

  it('of no known form are issues, and nothing that is read is', () => {
    const issuesOf = (thoughts: unknown) => lift([{ ...model('ok'), thoughts }]).problems
    for (const thoughts of ['a', { subject: 'a' }, [{ text: 'a', thought: true, thoughtSignature: 's' }], []])
      expect(issuesOf(thoughts)).toMatchObject({ issues: [], drift: [] })
    for (const thoughts of [7, {}, [{ idea: 'heron' }], [true]])
      expect(issuesOf(thoughts).issues).toMatchObject([{ code: 'bad-field', at: 'messages[0] thoughts' }])
    expect(issuesOf([{ idea: 'heron' }]).drift).toMatchObject([{ where: 'thought', name: 'idea' }])
  })

  it('that are empty leave the place to those in the content', () => {
    const content = [{ text: '**Plan** read it', thought: true }, { text: 'ok' }]
    for (const thoughts of [undefined, null, '', []]) {
      const { messages } = lift([{ ...model(content), thoughts }])
      expect(messages[0]?.thoughts).toMatchObject([{ subject: 'Plan', description: 'read it' }])
    }
  })
})

describe('M6: one answer that a document records several times', () => {
  const tokens = (input: number) => ({ input, output: 1, cached: 0, thoughts: 0, tool: 0, total: input + 1 })
  const record = (content: string, fields: object = {}) => ({ ...model(content), id: 'm', ...fields })
  const shown = (rows: object[]) =>
    lift(rows).messages.map(({ key, usage, copyOf }) => [key, usage?.input ?? null, copyOf])

  it('counts with the record that has the last tokens, and each record says its own words', () => {
    const rows = [record('draft', { tokens: tokens(100) }), record('final', { tokens: tokens(200) })]
    expect(shown(rows)).toEqual([
      ['m', null, 'm~2'],
      ['m~2', 200, null],
    ])
    expect(lift(rows).messages.map(({ content }) => content)).toMatchObject([
      [{ text: 'draft' }],
      [{ text: 'final' }],
    ])
  })

  it('counts with an earlier record where the later ones have no tokens above 0', () => {
    const rows = [record('a'), record('b', { tokens: tokens(7) }), record('c', { tokens: { input: 0 } })]
    expect(shown(rows)).toEqual([
      ['m', null, 'm~2'],
      ['m~2', 7, null],
      ['m~3', null, 'm~2'],
    ])
    expect(shown([record('a'), record('b')])).toEqual([
      ['m', null, 'm~2'],
      ['m~2', null, null],
    ])
  })

  it('has each call once, as it was recorded last', () => {
    const call = (id: string, status: string) => ({ id, name: 'glob', args: {}, status })
    const { messages } = lift([
      record('a', { toolCalls: [call('c1', 'executing'), call('c2', 'success')], tokens: tokens(1) }),
      record('b', { toolCalls: [call('c1', 'success'), call('c3', 'error')], tokens: tokens(2) }),
    ])
    expect(messages.map(({ toolCalls }) => toolCalls.map(({ id, status }) => `${id} ${status}`))).toEqual([
      [],
      ['c1 success', 'c2 success', 'c3 error'],
    ])
  })

  it('says nothing of prompts with one id but other words, nor of other messages', () => {
    const { messages } = lift([
      user('one', 'x'),
      user('two', 'x'),
      user('one', 'x'),
      record('a'),
      user('b', 'm'),
    ])
    expect(messages.map(({ copyOf }) => copyOf)).toEqual([null, null, 'x', null, null])
  })
})

describe('a turn that brings results back', () => {
  const call = model([{ functionCall: { id: 'c1', name: 'glob', args: {} } }])
  const result = { functionResponse: { id: 'c1', name: 'glob', response: { output: 'a.js' } } }
  const picture = { inlineData: { mimeType: 'image/png', data: 'AAAA' } }

  it('keeps what a person said in it', () => {
    const { messages } = lift([call, user([result, { text: 'Stop, that is enough' }])])
    expect(messages[1]).toMatchObject({
      origin: 'human',
      content: [{ kind: 'text', text: 'Stop, that is enough' }],
    })
    expect(messages[0]?.toolCalls).toMatchObject([{ output: { text: 'a.js' }, extraParts: [] }])
  })

  it('keeps what the CLI said in it apart from both', () => {
    const { messages } = lift([call, user([result, { text: 'System: Please continue.' }])])
    expect(messages[1]?.origin).toBe('injected')
  })

  it('gives its picture to the call', () => {
    const { messages } = lift([
      { ...model(''), toolCalls: [{ id: 'c1', name: 'glob', status: 'success', result: [result] }] },
      user([result, picture]),
    ])
    expect(messages[0]?.toolCalls[0]?.extraParts).toMatchObject([{ kind: 'image', data: 'AAAA' }])
    expect(messages[1]?.content).toEqual([])
  })

  it('shows by itself what no recorded call asked for', () => {
    const { messages } = lift([user([result, picture])])
    expect(messages[0]).toMatchObject({
      origin: 'tool-result',
      content: [{ kind: 'text', text: 'a.js' }, { kind: 'image' }],
    })
  })

  it("is never taken for another call's result", () => {
    const calls = ['c1', 'c2'].map((id) => ({ id, name: 'glob', status: 'success', result: [result] }))
    const { messages } = lift([{ ...model(''), toolCalls: calls }])
    expect(messages[0]?.toolCalls.map(({ output }) => output.kind)).toEqual(['text', 'empty'])
  })

  it('stays where no calls were recorded (0.4 to 0.8)', () => {
    const flat = '[Function Response: read_many_files]--- /a.js ---'
    const { messages } = lift([model('I will look.'), user(flat)])
    expect(messages[1]).toMatchObject({ origin: 'tool-result', content: [{ kind: 'text', text: flat }] })
  })
})

describe('an id that stands twice in a JSON file', () => {
  const tokens = (total: number) => ({ input: total, output: 0, total })
  const call = (output: string) => ({
    id: 'c1',
    name: 'glob',
    status: 'success',
    result: [{ functionResponse: { id: 'c1', name: 'glob', response: { output } } }],
  })

  it('is one call, with the last tokens recorded for it', () => {
    const { messages } = lift([
      { ...model('One.'), id: 'a', tokens: tokens(10), toolCalls: [call('old')] },
      { ...model('One.'), id: 'a', tokens: tokens(30), toolCalls: [call('new')] },
      { ...model('One.'), id: 'a', tokens: tokens(0) },
    ])
    expect(
      messages.map(({ key, copyOf, usage, toolCalls }) => [key, copyOf, usage?.total, toolCalls.length]),
    ).toEqual([
      ['a', 'a~2', undefined, 0],
      ['a~2', null, 30, 1],
      ['a~3', 'a~2', undefined, 0],
    ])
    expect(messages[1]?.toolCalls[0]?.output).toEqual({ kind: 'text', text: 'new' })
  })

  it('is one prompt only if it says the same', () => {
    const prompts = ['Say one', 'Say one', 'Say two'].map((text) => ({ ...user(text), id: 'p' }))
    expect(lift(prompts).messages.map(({ copyOf }) => copyOf)).toEqual([null, 'p', null])
  })
})

describe('"Please continue."', () => {
  const pair = (pauseMs: number) => [
    { ...model('Half of it.'), timestamp: '2026-11-21T20:30:00.000Z' },
    {
      ...user('Please continue.'),
      timestamp: new Date(Date.UTC(2026, 10, 21, 20, 30) + pauseMs).toISOString(),
    },
  ]

  it("is the CLI's own where it follows an answer at once", () => {
    expect(lift(pair(1_200)).messages[1]?.origin).toBe('injected')
  })

  it('is what a person typed where there was time to read', () => {
    expect(lift(pair(9_000)).messages[1]?.origin).toBe('human')
    expect(lift([user('Please continue.')]).messages[0]?.origin).toBe('human')
  })
})

describe('messages of other tools', () => {
  it('may name a role in place of a type', () => {
    const roles = ['user', 'model', 'assistant', 'human']
    const { messages } = lift(roles.map((role) => ({ role, content: role })))
    expect(messages.map(({ type, origin }) => [type, origin])).toEqual([
      ['user', 'human'],
      ['unknown', 'model'],
      ['unknown', 'model'],
      ['unknown', 'human'],
    ])
  })
})

describe('parts', () => {
  it('of every kind, in order', () => {
    const { messages, problems } = lift([
      model([
        'a string',
        { text: '' },
        { text: '**Plan** think', thought: true },
        { inlineData: { mimeType: 'audio/wav', data: 'AAA=' } },
        { fileData: { mimeType: 'application/pdf', fileUri: 'gs://x' } },
        { executableCode: { language: 'PYTHON', code: '1+1' } },
        { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '2' } },
        { thoughtSignature: 'x' },
        { hologram: 1 },
        7,
      ]),
    ])
    expect(messages[0]?.content).toEqual([
      { kind: 'text', text: 'a string' },
      { kind: 'audio', mimeType: 'audio/wav', data: 'AAA=', uri: null, sizeBytes: 2, href: null },
      { kind: 'file', mimeType: 'application/pdf', data: null, uri: 'gs://x', sizeBytes: null, href: null },
      { kind: 'code', language: 'PYTHON', code: '1+1', outcome: 'OUTCOME_OK', output: '2' },
      { kind: 'unknown', json: { hologram: 1 } },
      { kind: 'unknown', json: 7 },
    ])
    expect(messages[0]?.thoughts).toEqual([{ subject: 'Plan', description: 'think', timestamp: null }])
    expect(problems.drift).toEqual([{ where: 'part', name: 'hologram', at: 'messages[0]', count: 1 }])
  })
})

describe('keys', () => {
  it('are the ids, made unique by order of record', () => {
    const { messages } = lift([
      user('1', 'x'),
      user('2', 'x'),
      user('3', 'x~2'),
      user('4', ''),
      user('5', ''),
    ])
    expect(messages.map(({ key }) => key)).toEqual(['x', 'x~2', 'x~2~2', '~1', '~2'])
  })
})

describe('descriptions', () => {
  const manual = 'Runs a query against the configured database and returns all of its rows.'

  it('that stand on calls with different arguments are the manual of their tool', () => {
    const call = (query: string) => ({ id: query, name: 'sql', args: { query }, description: manual })
    const { messages } = lift([{ ...model(''), toolCalls: [call('a'), call('b')] }])
    expect(messages[0]?.toolCalls.map(({ description }) => description)).toEqual([null, null])
    const single = lift([{ ...model(''), toolCalls: [call('a')] }])
    expect(single.messages[0]?.toolCalls[0]?.description).toBe(manual)
  })
})

describe('a sub-agent mixed into its parent', () => {
  const PROMPT = 'Your task is to do a deep investigation of the codebase to find it'

  it('has the id of the call that started it, from its prompt to that call', () => {
    const call = { id: 'c1', name: 'delegate_to_agent', args: {} }
    const { messages } = lift([
      user('Map it'),
      user(PROMPT),
      model('inner'),
      { ...model(''), toolCalls: [call] },
    ])
    expect(messages.map(({ agentKey }) => agentKey)).toEqual([null, 'c1', 'c1', null])
  })

  it('has the key of its prompt where the run never finished', () => {
    const { messages } = lift([user('Map it'), user(PROMPT, 'p'), model('inner'), user('Next')])
    expect(messages.map(({ agentKey }) => agentKey)).toEqual([null, 'p', 'p', null])
  })

  it('is no guest in a file of its own', () => {
    const { messages } = lift([user(PROMPT), model('inner')])
    expect(messages.map(({ agentKey }) => agentKey)).toEqual([null, null])
  })
})

function lift(rows: readonly object[]) {
  const problems = new Problems()
  const entries = rows.map((row, index) => createEntry(row, false, { index }))
  return {
    ...liftMessages({
      path: 'a.json',
      isSubagentFile: false,
      entries,
      live: entries,
      problems,
      lifted: null,
    }),
    problems,
  }
}

function user(content: unknown, id = `u${JSON.stringify(content)}`) {
  return { id, type: 'user', content }
}

function model(content: unknown) {
  return { id: `m${JSON.stringify(content)}`, type: 'gemini', content }
}
