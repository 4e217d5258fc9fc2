import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RawObject } from '../raw.ts'
import { parseSessionFile } from './session-file.ts'

const METADATA = { sessionId: 's-1', projectHash: 'h', startTime: '2026-11-21T20:30:00.000Z', kind: 'main' }
const at = (minute: number) => `2026-11-21T20:${30 + minute}:00.000Z`
const prompt = (id: string, minute: number, text = `prompt ${id}`) => ({
  id,
  timestamp: at(minute),
  type: 'user',
  content: [{ text }],
})
const answer = (id: string, minute: number) => ({
  id,
  timestamp: at(minute),
  type: 'gemini',
  content: `answer ${id}, with "quotes" and {"id":"q","type":"user","content":"no record"}`,
  model: 'gemini-2.5-pro',
  tokens: { input: 10, output: 2, cached: 0, thoughts: 0, tool: 0, total: 12 },
  toolCalls: [{ id: 'c1', name: 'glob', args: { a: [1, 2] }, status: 'success', timestamp: at(minute) }],
})

function read(lines: readonly (string | RawObject)[]) {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
  const { messages, issues } = parseSessionFile({
    path: 'tmp/a/chats/session-1.jsonl',
    bytes: new TextEncoder().encode(text),
  })
  return {
    messages: messages.map(({ id, superseded }) => [id, superseded]),
    issues: issues.map(({ code, at }) => [code, at]),
  }
}

const torn = (row: RawObject, length: number) => JSON.stringify(row).slice(0, length)

describe('A7: a whole record behind a torn one', () => {
  it('is live, in its place, with an issue, wherever the other was torn', () => {
    const whole = JSON.stringify(answer('a1', 1))
    const after = JSON.stringify(prompt('p2', 2))
    let recovered = 0
    for (let length = 1; length < whole.length; length += 1) {
      const { messages, issues } = read([
        METADATA,
        prompt('p1', 0),
        whole.slice(0, length) + after,
        answer('a2', 3),
      ])
      // if torn right before a value, the two cannot be distinguished
      if (/[[,:]$/.test(whole.slice(0, length)) && messages.length === 2) {
        expect(issues).toEqual([['bad-line', 'line 3']])
        continue
      }
      recovered += 1
      expect([length, messages]).toEqual([
        length,
        [
          ['p1', null],
          ['p2', null],
          ['a2', null],
        ],
      ])
      expect(issues).toEqual([['glued-line', 'line 3']])
    }
    expect(recovered).toBeGreaterThan(whole.length * 0.85)
  })

  it('may be any kind of record', () => {
    const cut = torn(answer('a1', 1), 60)
    const begin = [METADATA, prompt('p1', 0), prompt('p0', 0)]
    expect(read([...begin, cut + JSON.stringify({ $rewindTo: 'p0' }), answer('a2', 3)]).messages).toEqual([
      ['p1', null],
      ['p0', 'rewound'],
      ['a2', null],
    ])
    expect(read([...begin, cut + JSON.stringify({ $set: { lastUpdated: at(9) } })]).issues).toEqual([
      ['glued-line', 'line 4'],
    ])
  })

  it('stands behind several that were torn, and at the end of a file that still grows', () => {
    const line = torn(answer('a1', 1), 60) + torn(answer('a2', 1), 70) + JSON.stringify(prompt('p3', 2))
    expect(read([METADATA, prompt('p1', 0), line]).messages).toEqual([
      ['p1', null],
      ['p3', null],
    ])
  })

  it('is none that is a part of a torn record', () => {
    const history = { $set: { messages: [prompt('p8', 1), prompt('p9', 2)] } }
    const text = JSON.stringify(history)
    for (const line of [
      text.slice(0, -3),
      torn(answer('a1', 1), -2),
      text.slice(0, text.indexOf('}]}') + 3),
    ]) {
      const { messages, issues } = read([METADATA, prompt('p1', 0), line, answer('a2', 3)])
      expect(messages.map(([id]) => id)).toEqual(['p1', 'a2'])
      expect(issues).toEqual([['bad-line', 'line 3']])
    }
  })

  it('is what was written, whatever texts the torn one holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), fc.nat(), (text, other, cut) => {
        const whole = JSON.stringify(prompt('t', 1, text))
        const length = 30 + (cut % (whole.length - 30))
        fc.pre(!/[[,:]$/.test(whole.slice(0, length)))
        const { messages } = read([
          METADATA,
          whole.slice(0, length) + JSON.stringify(prompt('p2', 2, other)),
          answer('a2', 3),
        ])
        expect(messages.map(([id]) => id)).toEqual(['p2', 'a2'])
      }),
    )
  })
})
