import { parseSessionFile, stitchFiles } from 'gemini-sessions'
import { expect, it } from 'vitest'
import { recordFixture } from '../../test/record-fixture.ts'
import type { RecoverySource } from '../store/recovering.ts'
import { refuseSession } from './recover-session.ts'

const ROWS = [
  { sessionId: 's', projectHash: 'h', startTime: '2026-11-21T20:30:00.000Z', lastUpdated: '', kind: 'main' },
  { id: 'a', timestamp: '2026-11-21T20:31:00.000Z', type: 'user', content: 'hello' },
]
const TEXT = `${ROWS.map((row) => JSON.stringify(row)).join('\n')}\n`
const SPREAD = ROWS.map((row) => JSON.stringify(row, null, 2)).join('\n')

it.each([
  ['one record a line', Buffer.from(TEXT), []],
  ['UTF-16', Buffer.from(`\ufeff${TEXT}`, 'utf16le'), [expect.stringContaining('Save it as UTF-8 first')]],
  [
    'records over several lines',
    Buffer.from(SPREAD),
    [expect.stringContaining('Write one record per line first')],
  ],
])('a log is copied only in a form that Gemini CLI reads: %s', (_, bytes, reasons) => {
  const parsed = parseSessionFile({ path: 'tmp/shop/chats/session-s.jsonl', bytes })
  const [session] = stitchFiles([{ home: '/h', parsed }])
  const { summary } = recordFixture({ key: 'a' })
  const source = { summary, files: [], isLive: false } as Partial<RecoverySource> as RecoverySource
  expect(refuseSession(source, session, 0).map(({ message }) => message)).toEqual(reasons)
})
