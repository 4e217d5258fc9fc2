import { describe, expect, it } from 'vitest'
import { answer, at, copyOf, jsonFile, logFile, prompt, rawFile, SESSION_ID } from '../../test/make-file.ts'
import { placeKey, sessionKey } from './identity.ts'
import { stitchGroup } from './stitch.ts'
import { summarizeSession } from './summary.ts'

const first = jsonFile({ start: 1 }, [prompt('p1', 1), answer('a1', 2)])

describe('damaged files', () => {
  it('are rows with their reason, and hide no other', () => {
    const empty = rawFile({ start: 1 }, 'jsonl', '')
    const sessions = stitchGroup([empty, first])
    expect(sessions).toHaveLength(2)
    const [row] = sessions.filter((session) => session.files[0]?.role === 'damaged')
    expect(row).toMatchObject({ sessionId: '11111111', startTime: at(1), lastUpdated: at(1), messages: [] })
    expect(row?.issues.map((issue) => issue.code)).toEqual(['empty-file'])
  })

  it('keep their whole messages for the reader, and count nothing', () => {
    const text = JSON.stringify(
      {
        sessionId: SESSION_ID,
        startTime: at(1),
        messages: [prompt('p1', 1, 'Fix it'), answer('a1', 2), prompt('p2', 3)],
      },
      null,
      2,
    )
    const cut = rawFile({ start: 1 }, 'json', text.slice(0, text.indexOf('prompt p2')))
    const copy = copyOf(cut, { path: 'tmp/shop/chats/session-copy.json' })
    const [whole, damaged, ...others] = stitchGroup([
      cut,
      copy,
      logFile({ start: 1 }, [prompt('p1', 1), answer('a1', 2)]),
    ])
    expect(others).toEqual([])
    expect(whole?.sameRunKeys).toEqual([])
    expect(damaged?.files.map(({ role }) => role)).toEqual(['damaged', 'damaged'])
    expect(damaged?.messages.map(({ key }) => key)).toEqual(['p1', 'a1'])
    if (damaged === undefined) throw new Error('no row')
    const project = { key: 'k', name: 'shop', path: null }
    const row = summarizeSession(damaged, { project, priceCall: () => 1 })
    expect(row).toMatchObject({
      title: 'Fix it',
      usage: { calls: 0, total: 0 },
      cost: { usd: null, unpricedCalls: 0 },
      models: [],
      trace: [],
    })
    expect(Object.values(row.counts ?? {}).every((count) => count === 0)).toBe(true)
    expect(row.issues).toBeGreaterThan(0)
  })

  it('leave the key to the healthy file that has the same id and start', () => {
    const twin = logFile({ start: 1 }, [prompt('p1', 1), answer('a1', 2)])
    const cut = copyOf(first, {})
    const damaged = { ...cut, parsed: { ...cut.parsed, messages: [], isStub: true, isDamaged: true } }
    const sessions = stitchGroup([damaged, twin])
    expect(sessions.map(({ key, files }) => [key, files[0]?.role])).toEqual([
      [sessionKey(SESSION_ID, at(1)), 'current'],
      [placeKey(sessionKey(SESSION_ID, at(1)), cut.parsed.path), 'damaged'],
    ])
  })

  it('I7: have no time where neither content nor name tells one', () => {
    const path = `shop/chats/${SESSION_ID}/nhiq2f.json`
    const [row] = stitchGroup([rawFile({ start: 1, path }, 'json', '')])
    expect(row).toMatchObject({
      kind: 'subagent',
      sessionId: 'nhiq2f',
      parentSessionId: SESSION_ID,
      startTime: null,
      lastUpdated: null,
    })
  })
})
