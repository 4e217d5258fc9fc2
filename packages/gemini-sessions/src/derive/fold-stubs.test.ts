import { describe, expect, it } from 'vitest'
import { answer, at, context, copyOf, logFile, prompt, SESSION_ID } from '../../test/make-file.ts'
import { sessionKey } from './identity.ts'
import { stitchGroup } from './stitch.ts'

describe('stubs', () => {
  const stubAt = (start: number) => logFile({ start }, [[context(start)]])
  const resumed = logFile({ start: 1 }, [
    context(1),
    prompt('p1', 1),
    answer('a1', 2),
    prompt('p2', 20),
    answer('a2', 20),
  ])

  it('belong to the session that was resumed at their minute, and count for nothing', () => {
    const [session, ...others] = stitchGroup([stubAt(20), resumed])
    expect(others).toEqual([])
    expect(session?.files.map((file) => file.role)).toEqual(['current', 'stub'])
    expect(session?.key).toBe(sessionKey(SESSION_ID, at(1)))
    expect(session?.ownKeys).toContain(sessionKey(SESSION_ID, at(20)))
    expect(session?.messages).toHaveLength(5)
  })

  it('belong to the only session of their run even if nothing was said after the resume', () => {
    expect(stitchGroup([stubAt(45), resumed])).toHaveLength(1)
  })

  it('stand alone when two conversations could be meant, or none was running', () => {
    const other = logFile({ start: 15 }, [prompt('q1', 15), answer('b1', 25)])
    expect(stitchGroup([stubAt(20), resumed, other])).toHaveLength(3)
    expect(stitchGroup([stubAt(45), resumed, other])).toHaveLength(3)
  })

  it('of an id that an editor reuses stand alone unless the session was running', () => {
    const sessionId = 'a2a-server'
    const talk = logFile({ sessionId, start: 1 }, [prompt('p1', 1), answer('a1', 2)])
    const stub = logFile({ sessionId, start: 45 }, [[context(45)]])
    expect(stitchGroup([talk, stub])).toHaveLength(2)
  })

  it('alone are a row of their own, copies of one stub together', () => {
    const stub = stubAt(20)
    const copy = copyOf(stub, { home: '/backup/.gemini' })
    const sessions = stitchGroup([stub, copy, stubAt(30)])
    expect(sessions.map((session) => session.files.length)).toEqual([2, 1])
    expect(sessions.map((session) => session.startTime)).toEqual([at(20), at(30)])
  })
})
