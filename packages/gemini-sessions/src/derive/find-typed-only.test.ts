import { expect, it } from 'vitest'
import type { Session } from '../model/message.ts'
import { parseSessionFile } from '../parse/session-file.ts'
import { findTypedOnly } from './link-saved-outputs.ts'
import type { TypedEntry } from './read-prompt-log.ts'
import { stitchGroup } from './stitch.ts'

const at = (minute: number) => `2026-03-01T10:${String(minute).padStart(2, '0')}:00.000Z`

function sessionOf(startMinute: number, ...prompts: string[]): Session {
  const document = {
    sessionId: 's1',
    projectHash: '0'.repeat(64),
    startTime: at(startMinute),
    messages: prompts.map((content, n) => ({
      id: `u${startMinute}-${n}`,
      timestamp: at(startMinute + n),
      type: 'user',
      content,
    })),
  }
  const bytes = new TextEncoder().encode(JSON.stringify(document))
  const parsed = parseSessionFile({ path: `tmp/shop/chats/session-${startMinute}.json`, bytes })
  const [session] = stitchGroup([{ home: '/h', parsed }])
  if (session === undefined) throw new Error('no session')
  return session
}

const typed = (minute: number, message: string, sessionId = 's1'): TypedEntry => ({
  sessionId,
  message,
  messageId: minute,
  timestamp: at(minute),
  file: 'tmp/shop/logs.json',
  index: minute,
})

it('finds what was typed and is not recorded: commands, and prompts that a failed request removed', () => {
  const session = sessionOf(
    1,
    'Fix  the\nprice',
    'I ran the following shell command:\n```sh\nls -la\n```\nThis produced …',
  )
  const entries = [
    typed(1, 'Fix the price'),
    typed(2, '/stats'),
    typed(3, 'This one was refused'),
    typed(4, '!ls -la'),
    typed(5, 'of another session', 's2'),
  ]
  expect(findTypedOnly(session, [session], entries)).toEqual([
    { text: '/stats', timestamp: at(2), isCommand: true },
    { text: 'This one was refused', timestamp: at(3), isCommand: false },
  ])
})

it('a prompt typed twice and recorded once is missing once; a copy of the log adds nothing', () => {
  const session = sessionOf(1, 'go on')
  const entries = [typed(1, 'go on'), typed(2, 'go on')]
  expect(findTypedOnly(session, [session], [...entries, ...entries])).toEqual([
    { text: 'go on', timestamp: at(2), isCommand: false },
  ])
})

it('of several conversations of one run, the one that was going on has it', () => {
  const [first, second] = [sessionOf(1, 'one'), sessionOf(20, 'two')]
  const entries = [typed(5, 'lost early'), typed(25, 'lost late'), typed(20, 'two')]
  const lostIn = (session: Session) =>
    findTypedOnly(session, [second, first], entries).map(({ text }) => text)
  expect([lostIn(first), lostIn(second)]).toEqual([['lost early'], ['lost late']])
})
