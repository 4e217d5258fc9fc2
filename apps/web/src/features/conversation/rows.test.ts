import type { SideBranch } from '@gemini-dash/api'
import type { Message, Turn } from 'gemini-sessions'
import { describe, expect, test } from 'vitest'
import { makeMessage, makeToolCall } from '../../../../../fixtures/message.ts'
import { buildRows } from './build-rows.ts'
import type { Divider, Fold, Row, RowSource } from './row.ts'
import { foldHeadline, foldTally } from './row.ts'

const NO_USAGE = {
  input: 0,
  output: 0,
  cached: 0,
  thoughts: 0,
  tool: 0,
  total: 0,
  calls: 0,
  callsWithoutTokens: 0,
}

function message(key: string, fields: Partial<Message> = {}): Message {
  const content: Message['content'] = [{ kind: 'text', text: `text of ${key}` }]
  return makeMessage({ key, type: 'user', timestamp: '2026-11-21T20:30:00.000Z', content, ...fields })
}

function answer(key: string, fields: Partial<Message> = {}): Message {
  const usage = { ...NO_USAGE, input: 100, output: 10, total: 110, calls: 1 }
  return message(key, {
    type: 'gemini',
    origin: 'model',
    usage,
    cost: { usd: 0.25, unpricedCalls: 0 },
    ...fields,
  })
}

function turn(number: number, messageKey: string): Turn {
  return {
    number,
    messageKey,
    firstOffset: 0,
    messageCount: 1,
    prompt: '',
    startTime: null,
    endTime: null,
    superseded: null,
    segment: 0,
    usage: NO_USAGE,
    cost: { usd: null, unpricedCalls: 0 },
    toolCalls: 0,
    toolErrors: 0,
    failedKey: null,
    thoughts: 0,
    failure: null,
  }
}

function branch(firstKey: string, firstOffset: number, fields: Partial<SideBranch> = {}): SideBranch {
  return {
    cause: 'rewound',
    firstKey,
    firstOffset,
    messages: 1,
    turns: null,
    usage: NO_USAGE,
    cost: { usd: null, unpricedCalls: 0 },
    firstLine: '',
    ...fields,
  }
}

function source(messages: Message[], fields: Partial<RowSource> = {}): RowSource {
  return {
    total: messages.length,
    pageSize: 100,
    positions: null,
    linesOf: () => null,
    pages: new Map([[0, messages]]),
    turns: [],
    segments: [],
    compressions: [],
    drawnKeys: null,
    resumedKeys: [],
    branches: [],
    isLive: false,
    seenUntilMs: null,
    isFoldOpen: () => false,
    ...fields,
  }
}

/** Each row with what is drawn above it: `turn>message`. */
function kinds(rows: Row[]): string[] {
  return rows.map((row) =>
    row.kind === 'unloaded' ? row.kind : [...row.dividers.map(({ kind }) => kind), row.kind].join('>'),
  )
}

function dividersOf(rows: Row[]): Divider[] {
  return rows.flatMap((row) => (row.kind === 'unloaded' ? [] : row.dividers))
}

describe('the rows of a conversation', () => {
  test('a turn opens with its header, turn 0 without one', () => {
    const rows = buildRows(
      source([message('a'), message('b'), answer('c')], { turns: [turn(0, 'a'), turn(1, 'b')] }),
    )
    expect(kinds(rows)).toEqual(['message', 'turn>message', 'message'])
  })

  test('what came since the reader was here begins below one line, and nothing does where all or none is new', () => {
    const at = (key: string, minute: number) =>
      message(key, { timestamp: `2026-01-01T10:0${minute}:00.000Z` })
    const messages = [at('a', 1), at('b', 2), at('c', 3), at('d', 4)]
    const since = (minute: number) =>
      kinds(buildRows(source(messages, { seenUntilMs: Date.parse(`2026-01-01T10:0${minute}:00.000Z`) })))
    expect(since(2)).toEqual(['message', 'message', 'new>message', 'message'])
    expect(since(0)).toEqual(['message', 'message', 'message', 'message'])
    expect(since(4)).toEqual(['message', 'message', 'message', 'message'])
  })

  test('a page that is not loaded is one placeholder of its messages', () => {
    const rows = buildRows(source([message('b1')], { total: 201, pages: new Map([[1, [message('b1')]]]) }))
    expect(rows).toMatchObject([
      { kind: 'unloaded', offset: 0, count: 100 },
      { kind: 'message', offset: 100 },
      { kind: 'unloaded', offset: 200, count: 1 },
    ])
  })

  test('superseded messages fold where they happened, one fold for each cause', () => {
    const rows = buildRows(
      source(
        [
          message('a'),
          message('b', { superseded: 'rewound' }),
          answer('c', { superseded: 'rewound' }),
          message('d', { superseded: 'aborted' }),
          message('e'),
        ],
        {
          turns: [turn(1, 'a'), turn(2, 'b'), turn(3, 'd'), turn(4, 'e')],
          branches: [
            branch('b', 1, {
              messages: 2,
              turns: { first: 2, last: 2 },
              usage: { ...NO_USAGE, total: 110, calls: 1 },
              cost: { usd: 0.25, unpricedCalls: 0 },
              firstLine: 'text of b',
            }),
            branch('d', 3, { cause: 'aborted', turns: { first: 3, last: 3 }, firstLine: 'text of d' }),
          ],
        },
      ),
    )
    expect(kinds(rows)).toEqual(['turn>message', 'fold', 'fold', 'turn>message'])
    const folds = rows.flatMap((row) => (row.kind === 'fold' ? [row.fold] : []))
    expect(folds.map(foldHeadline)).toEqual(['Turn 2 (rewound)', 'Turn 3 (unanswered)'])
    expect(folds.map(foldTally)).toEqual([
      { messages: 2, calls: 1, tokens: 110, cost: { usd: 0.25, unpricedCalls: 0 }, firstLine: 'text of b' },
      { messages: 1, calls: 0, tokens: 0, cost: { usd: null, unpricedCalls: 0 }, firstLine: 'text of d' },
    ])
  })

  describe('C4: a turn whose request failed', () => {
    const REFUSED = { text: 'No answer: the API refused the request: 400', noticeKey: 'e' }
    const SILENT = { text: 'No answer was recorded', noticeKey: null }
    const failed = (fields: Partial<Turn>): Turn => ({ ...turn(2, 'p'), firstOffset: 2, ...fields })
    const messages = [
      message('a'),
      answer('b'),
      message('p', { superseded: 'aborted' }),
      message('e', { type: 'error', origin: 'cli' }),
      message('n', { type: 'info', origin: 'cli' }),
    ]
    const endings = (rows: Row[]) =>
      rows.map((row) => (row.kind === 'message' ? [row.isTakenBack, row.ending?.text ?? ''] : row.kind))

    test('is neither folded nor struck out, and closes with the reason', () => {
      const turns = [turn(1, 'a'), failed({ messageCount: 3, failure: REFUSED })]
      const rows = buildRows(source(messages, { turns, isLive: true }))
      expect(kinds(rows)).toEqual(['turn>message', 'message', 'turn>message', 'message', 'message'])
      expect(endings(rows).slice(2)).toEqual([
        [false, ''],
        [false, ''],
        [false, REFUSED.text],
      ])
    })

    test('is followed by the next turn, and by nothing while more of it is on its way', () => {
      const turns = [turn(1, 'a'), failed({ messageCount: 2, failure: SILENT }), turn(3, 'n')]
      const all = [...messages.slice(0, 3), message('c'), message('n')]
      expect(endings(buildRows(source(all, { turns })))).toEqual([
        [false, ''],
        [false, ''],
        [false, ''],
        [false, SILENT.text],
        [false, ''],
      ])
      const pages = new Map([[0, all.slice(0, 3)]])
      const rows = buildRows(source([], { turns, total: 5, pageSize: 3, pages }))
      expect(endings(rows)).toEqual([[false, ''], [false, ''], [false, ''], 'unloaded'])
    })

    test('says nothing while the session is written: the answer may yet come', () => {
      const turns = [turn(1, 'a'), failed({ messageCount: 1, failure: SILENT })]
      const live = [...messages.slice(0, 2), message('p')]
      expect(endings(buildRows(source(live, { turns, isLive: true })))[2]).toEqual([false, ''])
      expect(endings(buildRows(source(live, { turns })))[2]).toEqual([false, SILENT.text])
    })

    test('closes under a filter, too', () => {
      const turns = [turn(1, 'a'), failed({ messageCount: 3, failure: REFUSED })]
      const only = source(messages.slice(3, 4), { turns, positions: new Map([[0, [3]]]) })
      expect(endings(buildRows(only))).toEqual([[false, REFUSED.text]])
    })

    test('is struck out and folded where the person took it back', () => {
      const turns = [turn(1, 'a'), failed({ messageCount: 3 })]
      const branches = [branch('p', 2, { cause: 'aborted' })]
      const rows = buildRows(source(messages, { turns, branches, isFoldOpen: () => true }))
      expect(endings(rows).slice(2, 4)).toEqual(['fold', [true, '']])
    })
  })

  test('messages of sub-agents in the file of their parent fold, each run by itself, with its task and tokens', () => {
    const task = 'Your task is to do a deep investigation …:\n<objective>\nfind the cart\n</objective>'
    const opening: Partial<Message> = { origin: 'injected', content: [{ kind: 'text', text: task }] }
    const messages = [
      message('a'),
      message('b', { ...opening, agentKey: 'call-1' }),
      answer('c', { agentKey: 'call-1' }),
      message('d', { ...opening, agentKey: 'call-2' }),
      answer('e'),
    ]
    const rows = buildRows(source(messages))
    expect(kinds(rows)).toEqual(['message', 'fold', 'fold', 'message'])
    const folds = rows.flatMap((row) => (row.kind === 'fold' ? [row.fold] : []))
    expect(folds.map(foldHeadline)).toEqual(['Sub-agent', 'Sub-agent'])
    expect(foldTally(folds[0] as Fold)).toEqual({
      messages: 2,
      calls: 1,
      tokens: 110,
      cost: { usd: 0.25, unpricedCalls: 0 },
      firstLine: 'find the cart',
    })
    const filtered = buildRows(source(messages.slice(1, 3), { positions: new Map([[0, [1, 2]]]) }))
    expect(kinds(filtered)).toEqual(['message', 'message'])
  })

  test('an open fold shows its messages below itself', () => {
    const rows = buildRows(
      source([message('a', { superseded: 'rewound' }), message('b')], { isFoldOpen: () => true }),
    )
    expect(rows.map((row) => row.key)).toEqual(['fold-a', 'a', 'b'])
  })

  test('a closed branch is one line wherever its pages begin, and its messages need not be loaded', () => {
    const folded = (key: string) => message(key, { superseded: 'rewound' })
    const layout = {
      total: 6,
      pageSize: 2,
      branches: [branch('b', 1, { messages: 4, turns: { first: 2, last: 3 } })],
    }
    const first: [number, Message[]] = [0, [message('a'), folded('b')]]
    const last: [number, Message[]] = [2, [folded('e'), message('f')]]
    const keys = (pages: [number, Message[]][]) =>
      buildRows(source([], { ...layout, pages: new Map(pages) })).map((row) => row.key)
    expect(keys([first, last])).toEqual(['a', 'fold-b', 'f'])
    expect(keys([first])).toEqual(['a', 'fold-b', 'unloaded-5'])
    expect(keys([last])).toEqual(['unloaded-0', 'fold-b', 'f'])
    expect(keys([[1, [folded('c'), folded('d')]]])).toEqual(['unloaded-0', 'fold-b', 'unloaded-5'])
  })

  test('an open branch has one header and places for what is on its way', () => {
    const rows = buildRows(
      source([], {
        total: 6,
        pageSize: 2,
        pages: new Map([[2, [message('e', { superseded: 'rewound' }), message('f')]]]),
        branches: [branch('b', 1, { messages: 4 })],
        isFoldOpen: () => true,
      }),
    )
    expect(rows.map((row) => row.key)).toEqual(['unloaded-0', 'fold-b', 'unloaded-1', 'unloaded-2', 'e', 'f'])
    expect(rows).toMatchObject([{}, {}, {}, {}, { isInBranch: true }, { isInBranch: false }])
  })

  test('a branch that a later rewind made longer stays open', () => {
    const messages = ['a', 'b', 'c'].map((key) => message(key, { superseded: 'rewound' }))
    const rows = buildRows(
      source(messages, {
        branches: [branch('a', 0, { messages: 3 })],
        isFoldOpen: (keys) => keys.includes('b'),
      }),
    )
    expect(rows.map((row) => row.key)).toEqual(['fold-a', 'a', 'b', 'c'])
  })

  test('3,000 folded messages are one row, whatever is loaded of them', () => {
    const rows = buildRows(
      source([message('a')], { total: 3_002, branches: [branch('b', 1, { messages: 3_000 })] }),
    )
    expect(rows.map((row) => row.key)).toEqual(['a', 'fold-b', 'unloaded-3001'])
  })

  test('the headline counts messages where no turn begins', () => {
    const rows = buildRows(
      source([answer('a', { superseded: 'replaced' }), answer('b', { superseded: 'replaced' })]),
    )
    expect(rows[0]?.kind === 'fold' && foldHeadline(rows[0].fold)).toBe('2 messages (replaced)')
  })

  test('C16: the headline says in plain words what became of a turn', () => {
    const causes = ['rewound', 'compacted', 'aborted', 'replaced'] as const
    const headlines = causes.map((cause) =>
      foldHeadline({
        cause,
        branch: branch('a', 0, { cause, messages: 2 }),
        at: 0,
        messages: [],
        isOpen: false,
      }),
    )
    expect(headlines).toEqual([
      '2 messages (rewound)',
      '2 messages (compressed)',
      '2 messages (unanswered)',
      '2 messages (replaced)',
    ])
  })

  test('a notice that a rewrite dropped stays unfolded', () => {
    const rows = buildRows(source([message('a', { type: 'info', origin: 'cli', superseded: 'replaced' })]))
    expect(kinds(rows)).toEqual(['message'])
  })

  test('a buried session draws its last conversation unfolded', () => {
    const rows = buildRows(
      source([message('a', { superseded: 'aborted' }), message('b', { superseded: 'aborted' })], {
        drawnKeys: ['b'],
      }),
    )
    expect(kinds(rows)).toEqual(['fold', 'message'])
  })

  test('a turn of tool results is drawn only if it says more', () => {
    const result = { type: 'user', origin: 'tool-result' } as const
    const rows = buildRows(
      source([
        message('a', { ...result, content: [] }),
        message('b', { ...result, content: [{ kind: 'text', text: 'and also' }] }),
      ]),
    )
    expect(rows.map((row) => row.key)).toEqual(['b'])
  })

  test('a compression is a seam with what it saved and the part it opens', () => {
    const rows = buildRows(
      source([message('a'), message('b', { segment: 1 })], {
        compressions: [
          { messageKey: 'b', offset: 1, timestamp: null, inputBefore: 212_000, inputAfter: 26_100 },
        ],
      }),
    )
    expect(dividersOf(rows)[0]).toEqual({
      kind: 'compressed',
      key: 'compressed-b',
      inputBefore: 212_000,
      inputAfter: 26_100,
      part: 2,
      file: '',
    })
  })

  test('an empty notice gives way to the seam that says the same, and stays where none does', () => {
    const notice = message('n', { type: 'info', origin: 'cli', content: [] })
    const next = message('b', { segment: 1 })
    expect(kinds(buildRows(source([message('a'), notice, next])))).toEqual(['message', 'part>message'])
    expect(kinds(buildRows(source([message('a'), notice])))).toEqual(['message', 'message'])
  })

  test('a part from an older file is named as such', () => {
    const segments = [0, 1].map((index) => ({
      index,
      reason: 'resume' as const,
      file: `tmp/a/chats/session-${index}.jsonl`,
      firstOffset: index,
      messages: 1,
      startTime: null,
      endTime: null,
    }))
    const rows = buildRows(source([message('a'), message('b', { segment: 1 })], { segments }))
    expect(dividersOf(rows)[0]).toMatchObject({
      kind: 'part',
      part: 2,
      reason: 'resume',
      file: 'tmp/a/chats/session-1.jsonl',
    })
  })

  test('where a later run went on is said before the header of the turn', () => {
    const rows = buildRows(
      source([message('a'), message('b'), message('c')], { resumedKeys: ['b'], turns: [turn(2, 'b')] }),
    )
    expect(rows.map(({ key }) => key)).toEqual(['a', 'b', 'c'])
    expect(dividersOf(rows).map(({ kind }) => kind)).toEqual(['resumed', 'turn'])
  })

  test('a long pause and a new day are said, short ones not', () => {
    const at = (timestamp: string) => message(timestamp, { timestamp })
    const rows = buildRows(
      source([
        at('2026-11-20T12:00:00.000Z'),
        at('2026-11-20T12:29:00.000Z'),
        at('2026-11-20T13:30:00.000Z'),
        at('2026-11-22T13:30:00.000Z'),
      ]),
    )
    expect(dividersOf(rows)).toMatchObject([{ isNewDay: false }, { isNewDay: true }])
  })

  test('a message that two pages hold is drawn once', () => {
    const rows = buildRows(
      source([], {
        total: 4,
        pageSize: 2,
        pages: new Map([
          [0, [message('a'), message('b')]],
          [1, [message('b'), message('c')]],
        ]),
      }),
    )
    expect(rows.map((row) => row.key)).toEqual(['a', 'b', 'c'])
  })

  test('keys of rows are unique', () => {
    const rows = buildRows(
      source(
        [message('a', { superseded: 'rewound' }), message('b'), message('c', { superseded: 'rewound' })],
        {
          turns: [turn(1, 'a'), turn(2, 'b')],
          isFoldOpen: () => true,
        },
      ),
    )
    expect(new Set(rows.map((row) => row.key)).size).toBe(rows.length)
  })

  test('the spine ends with the last message before a header or a fold', () => {
    const rows = buildRows(
      source([message('a'), answer('b'), message('c')], { turns: [turn(1, 'a'), turn(2, 'c')] }),
    )
    const ends = rows.flatMap((row) => (row.kind === 'message' && row.isLastOfTurn ? [row.key] : []))
    expect(ends).toEqual(['b', 'c'])
  })
})

describe('a run of calls', () => {
  const calls = (key: string, fields: Partial<Message> = {}) =>
    answer(key, { content: [], toolCalls: [makeToolCall({ id: key })], ...fields })
  const placesOf = (messages: Message[], fields: Partial<RowSource> = {}) =>
    buildRows(source(messages, fields)).map((row) =>
      row.kind === 'message' ? (row.run?.at ?? null) : row.kind,
    )

  test('begins with what was said or thought before it, and ends where something is said again', () => {
    const said = calls('b', { content: [{ kind: 'text', text: 'I look.' }] })
    const result = message('r', { origin: 'tool-result', content: [] })
    expect(placesOf([message('a'), said, calls('c'), result, calls('d'), answer('e'), calls('f')])).toEqual([
      null,
      'first',
      'middle',
      'last',
      null,
      null,
    ])
  })

  test('has the figures of all its messages in each', () => {
    const [first] = buildRows(source([calls('a'), calls('b')]))
    expect(first?.kind === 'message' && first.run?.messages.map(({ key }) => key)).toEqual(['a', 'b'])
  })

  test('does not go on over a thought, a pause, a branch, or what a filter leaves out', () => {
    const thought = { subject: 'Why', description: '', timestamp: null }
    expect(placesOf([calls('a'), calls('b', { thoughts: [thought] })])).toEqual([null, null])
    expect(placesOf([calls('a'), calls('b', { timestamp: '2026-11-21T22:30:00.000Z' })])).toEqual([
      null,
      null,
    ])
    expect(placesOf([calls('a'), calls('b', { superseded: 'compacted' })])).not.toContain('first')
    expect(placesOf([calls('a'), calls('b')], { positions: new Map([[0, [3, 9]]]) })).toEqual([null, null])
    expect(placesOf([calls('a'), calls('b')], { positions: new Map([[0, [3, 4]]]) })).toEqual([
      'first',
      'last',
    ])
  })
})
