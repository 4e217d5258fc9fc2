import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sessionKey } from '../derive/identity.ts'
import { toPlannedFile } from './survey.ts'

it('I2: the key that is planned for a file is the one that its session has', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 60 })
  const nothing = { projectHash: null, startTime: null, lastUpdated: null, kind: null, firstPrompt: null }
  const head = { ...nothing, directories: [], contextPaths: [] }
  fc.assert(
    fc.property(text, text, (sessionId, firstStartTime) => {
      const file = { home: '/h', path: 'tmp/shop/chats/session-2026-11-21T20-30-4363c94e.jsonl' }
      const of = { groupId: 'g', projectHash: null }
      const planned = toPlannedFile(file, { ...head, sessionId, firstStartTime }, of)
      expect(planned.start).toBe(sessionKey(sessionId, firstStartTime))
    }),
  )
})
