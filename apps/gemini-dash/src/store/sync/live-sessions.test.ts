import type { SessionKind } from 'gemini-sessions'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { recordFixture } from '../../../test/record-fixture.ts'
import { LiveSessions } from './live-sessions.ts'
import type { LinkedSession } from './rows.ts'

const NOW_MS = Date.parse('2026-11-21T12:00:00.000Z')

const group = (sizeBytes: number) => ({
  id: 'g',
  fingerprint: String(sizeBytes),
  files: [
    {
      home: '/h',
      path: 'tmp/a/chats/s.jsonl',
      absolutePath: '/h/tmp/a/chats/s.jsonl',
      projectFolder: '/h/tmp/a',
      sizeBytes,
      mtimeMs: NOW_MS,
      mtimeNs: '0',
      ctimeNs: '0',
      inode: '1',
    },
  ],
})

function session(endTime: string, kind: SessionKind = 'main'): LinkedSession {
  const record = recordFixture({ key: 'k', endTime, kind })
  return { record, summary: record.summary, groupId: 'g', ownKeys: [] }
}

describe('a live session', () => {
  const quiet: string[] = []
  let live: LiveSessions

  beforeEach(() => {
    vi.useFakeTimers({ now: NOW_MS })
    quiet.length = 0
    live = new LiveSessions((key) => quiet.push(key), Date.now)
  })
  afterEach(() => {
    live.close()
    vi.useRealTimers()
  })

  it('said something in the last two minutes, and then is reported quiet', () => {
    const talking = session('2026-11-21T11:59:30.000Z')
    expect(live.isLive(talking)).toBe(true)
    vi.advanceTimersByTime(91_000)
    expect(quiet).toEqual(['k'])
    expect(live.isLive(talking)).toBe(false)
  })

  it('is one whose file was seen to grow, whatever its messages say', () => {
    const old = session('2026-11-01T00:00:00.000Z')
    expect(live.isLive(old)).toBe(false)
    live.noteGrowth(group(10), group(12))
    expect(live.isLive(old)).toBe(true)
  })

  it('is not one whose file was only touched, shrank, or is dated into the future', () => {
    live.noteGrowth(group(10), group(10))
    live.noteGrowth(group(10), group(8))
    expect(live.isLive(session('2026-11-01T00:00:00.000Z'))).toBe(false)
    expect(live.isLive(session('2027-01-01T00:00:00.000Z'))).toBe(false)
    expect(live.isLive(session('2026-11-21T11:59:30.000Z', 'checkpoint'))).toBe(false)
  })
})
