import { describe, expect, it } from 'vitest'
import { readSessionHead } from './session-file.ts'

const METADATA = {
  sessionId: 's1',
  projectHash: 'p1',
  firstStartTime: '2026-11-21T20:30:00.000Z',
  startTime: '2026-11-21T20:30:00.000Z',
  lastUpdated: '2026-11-21T20:31:00.000Z',
  kind: 'main',
}
const FOUND = { ...METADATA, firstPrompt: 'Fix the rounding' }
const CONTEXT = { id: 'c', type: 'user', content: [{ text: '<session_context>\n…</session_context>' }] }
const PROMPT = { id: 'a', type: 'user', content: [{ text: 'Fix the rounding' }] }
const LATER = { id: 'b', type: 'user', content: 'Run the check' }
const NOTHING = {
  sessionId: null,
  projectHash: null,
  firstStartTime: null,
  startTime: null,
  lastUpdated: null,
  kind: null,
  firstPrompt: null,
}

describe('the head of a session file', () => {
  it.each([
    [
      'a log',
      `${JSON.stringify(METADATA)}\n${JSON.stringify(CONTEXT)}\n${JSON.stringify(PROMPT)}\n{"id":"b","ty`,
    ],
    ['a log whose metadata is not on line 1', `${JSON.stringify(PROMPT)}\n${JSON.stringify(METADATA)}\n`],
    [
      'pretty JSON cut inside its messages',
      JSON.stringify({ ...METADATA, messages: [PROMPT, LATER] }, null, 2).slice(0, 480),
    ],
    ['one JSON object in a log', JSON.stringify({ ...METADATA, messages: [CONTEXT, PROMPT] })],
    ['one JSON object, cut', JSON.stringify({ ...METADATA, messages: [PROMPT, LATER] }).slice(0, -30)],
    ['a byte order mark and CRLF', `\uFEFF${JSON.stringify(METADATA)}\r\n${JSON.stringify(PROMPT)}\r\n`],
  ])('%s', (_, text) => {
    expect(read(text)).toEqual(FOUND)
  })

  it('gives identity from a document that begins as a log does, whose first line is no record', () => {
    const { length } = JSON.stringify(METADATA)
    const head = `${JSON.stringify(METADATA).slice(0, length - 1)},"messages":[\n${JSON.stringify(PROMPT)},\n`
    expect(read(`${head}{"id":"b","toolCalls":[{"args":${'{"a":'.repeat(700)}`)).toEqual(FOUND)
  })

  it('gives what a prompt holds up to the cut', () => {
    const text = JSON.stringify({ ...METADATA, messages: [PROMPT] }, null, 2)
    expect(read(text.slice(0, text.indexOf('rounding') + 5)).firstPrompt).toBe('Fix the round')
  })

  it('gives identity from a metadata line that is itself cut', () => {
    expect(read('{"sessionId":"s1","projectHash":"p')).toMatchObject({ sessionId: 's1' })
    expect(read('{"sessionId":"s1","startTime":"2026-11-21T20:30:00.000Z","pro')).toMatchObject({
      sessionId: 's1',
      firstStartTime: '2026-11-21T20:30:00.000Z',
      startTime: '2026-11-21T20:30:00.000Z',
    })
  })

  it('prefers the prompt that a rewind left', () => {
    const rows = [METADATA, PROMPT, { $rewindTo: 'a' }, { ...PROMPT, id: 'b', content: 'Other' }]
    expect(read(rows.map((row) => JSON.stringify(row)).join('\n')).firstPrompt).toBe('Other')
  })

  it('finds no prompt of a person in a sub-agent file', () => {
    const rows = [{ ...METADATA, kind: 'subagent' }, PROMPT]
    expect(read(rows.map((row) => JSON.stringify(row)).join('\n'))).toMatchObject({
      kind: 'subagent',
      firstPrompt: null,
    })
  })

  it.each(['', '\n', 'version https://git-lfs.github.com/spec/v1', '[1,2]', '{', '\0\0\0'])(
    'knows nothing of %j',
    (text) => {
      expect(read(text)).toEqual(NOTHING)
    },
  )
})

function read(text: string) {
  return readSessionHead(new TextEncoder().encode(text))
}
