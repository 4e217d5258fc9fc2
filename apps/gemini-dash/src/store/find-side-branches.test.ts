import type { Message } from 'gemini-sessions'
import { expect, test } from 'vitest'
import { messageFixture } from '../../test/message-fixture.ts'
import { findSideBranches } from './side-branches.ts'

const NOWHERE = { turns: [], compressions: [], unfolded: [] }
const usage = {
  input: 100,
  output: 10,
  cached: 0,
  thoughts: 5,
  tool: 0,
  total: 115,
  calls: 1,
  callsWithoutTokens: 0,
}

function said(key: string, superseded: Message['superseded'], fields: Partial<Message> = {}): Message {
  return messageFixture({
    key,
    superseded,
    content: [{ kind: 'text', text: `text of ${key}\nmore` }],
    ...fields,
  })
}

test('what stands together with one cause is one branch, with its tokens and cost', () => {
  const branches = findSideBranches(
    [
      said('a', null),
      said('b', 'rewound', { type: 'user', origin: 'human' }),
      said('c', 'rewound', { usage, cost: { usd: 0.25, unpricedCalls: 0 } }),
      said('d', 'rewound', { usage, cost: { usd: 0.5, unpricedCalls: 0 } }),
      said('e', 'aborted'),
      said('f', null),
    ],
    NOWHERE,
  )
  expect(branches).toMatchObject([
    {
      cause: 'rewound',
      firstKey: 'b',
      firstOffset: 1,
      messages: 3,
      usage: { input: 200, output: 20, calls: 2 },
      cost: { usd: 0.75 },
      firstLine: 'text of b',
    },
    {
      cause: 'aborted',
      firstKey: 'e',
      firstOffset: 4,
      messages: 1,
      usage: { calls: 0 },
      cost: { usd: null },
    },
  ])
})

test('a branch that reaches the end of the session ends there', () => {
  expect(findSideBranches([said('a', null), said('b', 'rewound')], NOWHERE)).toMatchObject([
    { firstKey: 'b', messages: 1 },
  ])
})

test('seams of a compression and of a file part branches', () => {
  const compressions = [{ messageKey: 'b', offset: 1, timestamp: null, inputBefore: null, inputAfter: null }]
  const messages = [said('a', 'rewound'), said('b', 'rewound'), said('c', 'rewound', { segment: 1 })]
  expect(findSideBranches(messages, { ...NOWHERE, compressions }).map(({ firstKey }) => firstKey)).toEqual([
    'a',
    'b',
    'c',
  ])
})

test('nothing to draw makes no branch: a lone result, a notice that was replaced, what a buried session shows', () => {
  const messages = [
    messageFixture({ key: 'a', superseded: 'rewound', type: 'user', origin: 'tool-result' }),
    said('b', null),
    said('c', 'replaced', { type: 'info', origin: 'cli' }),
    said('d', 'aborted'),
  ]
  expect(findSideBranches(messages, { ...NOWHERE, unfolded: ['d'] })).toEqual([])
})
