import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { messageSchema, type ParsedFile, parseSessionFile, SessionLogReader } from '../src/index.ts'
import { arbitraryLog } from './arbitrary-log.ts'
import { readFixtureFiles } from './session-files.ts'

const METADATA = '{"sessionId":"s","projectHash":"p","startTime":"2026-11-21T20:30:00.000Z","kind":"main"}'

describe('a log that grows', () => {
  it('R31: reads the same in any pieces, also cut inside a character', () => {
    fc.assert(
      fc.property(arbitraryLog, fc.array(fc.nat(400), { maxLength: 12 }), ({ text }, sizes) => {
        const bytes = new TextEncoder().encode(text)
        const reader = new SessionLogReader('a.jsonl')
        let start = 0
        for (const size of sizes) {
          reader.append(bytes.subarray(start, start + size))
          reader.result()
          start = Math.min(bytes.length, start + size)
        }
        reader.append(bytes.subarray(start))
        expect(reader.result()).toEqual(parseSessionFile({ path: 'a.jsonl', bytes }))
      }),
      { numRuns: 150 },
    )
  })

  it.each(readFixtureFiles().filter((_, index) => index % 5 === 0))(
    '$path in pieces of 1,000 bytes',
    ({ path, bytes }) => {
      const reader = new SessionLogReader(path)
      for (let start = 0; start < bytes.length; start += 1_000)
        reader.append(bytes.subarray(start, start + 1_000))
      expect(reader.result()).toEqual(parseSessionFile({ path, bytes }))
    },
  )

  it('does not hold on to the buffer it is given', () => {
    const reader = new SessionLogReader('a.jsonl')
    const buffer = new TextEncoder().encode(`${METADATA}\n{"id":"a","type":"us`)
    reader.append(buffer)
    buffer.fill(0)
    reader.append(new TextEncoder().encode('er","content":"hi"}\n'))
    expect(reader.result().messages.map(({ id }) => id)).toEqual(['a'])
  })
})

describe('nothing is lost', () => {
  it('R55: has every id ever recorded exactly once, whatever the log does', () => {
    fc.assert(
      fc.property(arbitraryLog, ({ text }) => {
        const parsed = parse(text)
        const ids = parsed.messages.map(({ id }) => id).filter((id) => id !== '')
        expect([...ids].sort()).toEqual([...recordedIds(text)].sort())
        expect([...parsed.knownIds].filter((id) => id !== '').sort()).toEqual([...recordedIds(text)].sort())
        for (const message of parsed.messages) messageSchema.parse(message)
      }),
      { numRuns: 300 },
    )
  })
})

describe('what is no session', () => {
  it.each([
    ['nothing', '', 'empty-file'],
    ['only blanks', ' \n\n', 'empty-file'],
    ['only NULs', '\0\0\0\0', 'empty-file'],
    [
      'a Git LFS pointer',
      'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n',
      'not-a-session',
    ],
    ['a JSON list', '[1, 2]', 'not-a-session'],
    ['a JSON text', '"text"', 'not-a-session'],
    ['another JSON object', '{\n  "name": "package"\n}', 'not-a-session'],
    ['a log of another tool', '{"type":"summary","uuid":"1"}\n{"type":"user","uuid":"2"}\n', 'not-a-session'],
    ['another tool with ids', '{"id":"1","type":"x"}\n{"id":"2","type":"y"}\n', 'not-a-session'],
    ['binary data', '\u0001\u0002\n\u0003', 'not-a-session'],
  ])('%s', (_, text, code) => {
    const parsed = parse(text)
    expect(parsed).toMatchObject({ isDamaged: true, messages: [], isStub: true, buried: false })
    expect(parsed.issues.map((issue) => issue.code)).toEqual([code])
    expect(parsed.sizeBytes).toBe(new TextEncoder().encode(text).length)
  })

  it('a first line that is still being written is torn, and already names its session', () => {
    const parsed = parse(METADATA.slice(0, 40))
    expect(parsed.issues.map(({ code }) => code)).toEqual(['torn-tail'])
    expect(parsed.header.sessionId).toBe('s')
  })
})

describe('damage inside a log', () => {
  it('skips bad lines, says where, and reads on', () => {
    const parsed = parse(`${METADATA}\nnot json\n[1]\n{"id":"a","type":"user","content":"hi"}\n\n`)
    expect(parsed.messages.map(({ id }) => id)).toEqual(['a'])
    expect(parsed.issues).toEqual([
      { code: 'bad-line', at: 'line 2', args: {} },
      { code: 'bad-line', at: 'line 3', args: {} },
    ])
  })

  it('reads past a byte order mark, CRLF, NULs after a power loss and invalid UTF-8', () => {
    const text = `\uFEFF${METADATA}\r\n\0\0\0{"id":"a","type":"user","content":"hi"}\r\n`
    const bytes = new TextEncoder().encode(`${text}{"id":"b","type":"user","content":"X"}\n`)
    bytes[bytes.indexOf(88)] = 0xff
    const parsed = parseSessionFile({ path: 'a.jsonl', bytes })
    expect(parsed.header.sessionId).toBe('s')
    expect(parsed.messages.map(({ id, superseded, content }) => [id, superseded, content])).toEqual([
      // The CLI cannot read the line, so it is not in its state.
      ['a', 'replaced', [{ kind: 'text', text: 'hi' }]],
      ['b', null, [{ kind: 'text', text: '\uFFFD' }]],
    ])
  })

  it('takes a log without metadata, and says so', () => {
    const parsed = parse('{"id":"a","type":"user","content":"hi"}\n')
    expect(parsed.messages).toHaveLength(1)
    expect(parsed.isDamaged).toBe(false)
    expect(parsed.issues.map(({ code }) => code)).toEqual(['no-metadata'])
  })

  it.each([
    ['without projectHash', '{"sessionId":"s","startTime":"2026-11-21T20:30:00.000Z","kind":"main"}'],
    ['as the CLI writes it', METADATA],
  ])('knows session and start from a metadata line %s', (_, metadata) => {
    const { header } = parse(`${metadata}\n{"id":"a","type":"user","content":"hi"}\n`)
    const time = '2026-11-21T20:30:00.000Z'
    expect(header).toMatchObject({ sessionId: 's', firstStartTime: time, startTime: time, kind: 'main' })
  })

  it('is a session without messages if it names one and nothing more', () => {
    const parsed = parse('{"sessionId":"s"}\n{"$set":{"lastUpdated":"2026-11-21T20:31:00.000Z"}}\n')
    expect(parsed.isDamaged).toBe(false)
    expect(parsed.header).toMatchObject({ sessionId: 's', lastUpdated: '2026-11-21T20:31:00.000Z' })
  })

  it('counts records of unknown kind as drift', () => {
    const parsed = parse(`${METADATA}\n{"$merge":{"a":1}}\n{"$merge":{"a":2}}\n`)
    expect(parsed.issues.map(({ code, at }) => [code, at])).toEqual([
      ['unknown-record', 'line 2'],
      ['unknown-record', 'line 3'],
    ])
    expect(parsed.drift).toEqual([{ where: 'record', name: '$merge', at: 'line 2', count: 2 }])
  })
})

describe('R21: wrong types in any field', () => {
  const WRONG = [
    'null',
    '5',
    '-1',
    '1e999',
    'true',
    '"text"',
    '[]',
    '{}',
    '[null]',
    '[[[]]]',
    '{"a":{}}',
    '{"__proto__":{"x":1}}',
  ]
  const FIELDS = [
    'id',
    'timestamp',
    'type',
    'content',
    'displayContent',
    'toolCalls',
    'thoughts',
    'tokens',
    'model',
  ]
  const CALL_FIELDS = [
    'id',
    'name',
    'args',
    'result',
    'status',
    'timestamp',
    'resultDisplay',
    'description',
    'agentId',
  ]

  it.each(FIELDS)('message.%s', (field) => {
    for (const value of WRONG) {
      const others = '"id":"a","type":"gemini","content":"hi"'
      for (const text of [`{${others},"${field}":${value}}`, `{"${field}":${value}}`]) {
        expectValid(parse(`${METADATA}\n${text}\n`))
        expectValid(parse(`{"sessionId":"s","messages":[${text},${value}]}`))
        expectValid(parse(`${METADATA}\n{"$set":{"messages":[${text},${value}]}}\n`))
      }
    }
  })

  it.each(CALL_FIELDS)('toolCall.%s', (field) => {
    for (const value of WRONG) {
      const call = `{"id":"c","name":"replace","args":{},"status":"success","${field}":${value}}`
      expectValid(
        parse(`${METADATA}\n{"id":"a","type":"gemini","content":"","toolCalls":[${call},${value}]}\n`),
      )
    }
  })

  it.each(['$set', '$patch', '$rewindTo', 'messages', 'directories', 'summary', 'startTime'])(
    'record.%s',
    (field) => {
      for (const value of WRONG)
        expectValid(parse(`${METADATA}\n{"sessionId":"s","projectHash":"p","${field}":${value}}\n`))
    },
  )

  it('R20: does not let __proto__ reach any prototype', () => {
    parse(
      `${METADATA}\n{"$set":{"__proto__":{"polluted":1}}}\n{"id":"__proto__","type":"user","content":"hi"}\n`,
    )
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('turns bad token counts into 0, and says so', () => {
    const tokens = '{"input":-5,"output":12,"cached":1e999,"thoughts":"3","tool":null,"total":12}'
    const parsed = parse(`${METADATA}\n{"id":"a","type":"gemini","content":"","tokens":${tokens}}\n`)
    expect(parsed.messages[0]?.usage).toEqual({
      input: 0,
      output: 12,
      cached: 0,
      thoughts: 3,
      tool: 0,
      total: 12,
      calls: 1,
      callsWithoutTokens: 0,
      unknownFigures: 2,
    })
    expect(parsed.issues.map(({ at }) => at)).toEqual([
      'line 2 tokens.input',
      'line 2 tokens.cached',
      'line 2 tokens.thoughts',
    ])
  })

  it('adds up a total that is not recorded', () => {
    const tokens = '{"input":900,"output":60,"cached":800,"thoughts":20}'
    const parsed = parse(`${METADATA}\n{"id":"a","type":"gemini","content":"","tokens":${tokens}}\n`)
    expect(parsed.messages[0]?.usage).toMatchObject({ input: 900, total: 980 })
    expect(parsed.issues).toEqual([])
  })

  it.each(['[redacted]', 'timestamp-1', 'TIME_12', '7', 'May 5'])(
    'turns the opaque timestamp %s into null, and says so',
    (timestamp) => {
      const row = { id: 'a', type: 'user', timestamp, content: 'hi' }
      const parsed = parse(`${METADATA}\n${JSON.stringify(row)}\n`)
      expect(parsed.messages[0]?.timestamp).toBeNull()
      expect(parsed.issues).toEqual([{ code: 'bad-field', at: 'line 2 timestamp', args: {} }])
    },
  )
})

describe('R21: nesting beyond any stack', () => {
  const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

  it.each([
    ['content', `"content":${deep(200_000)}`],
    ['a part', `"content":[{"odd":${deep(200_000)}}]`],
    ['args', `"content":"","toolCalls":[{"id":"c","args":{"a":${deep(200_000)}}}]`],
    ['result', `"content":"","toolCalls":[{"id":"c","result":${deep(200_000)}}]`],
    [
      'response',
      `"content":"","toolCalls":[{"id":"c","result":[{"functionResponse":{"response":${deep(200_000)}}}]}]`,
    ],
    ['resultDisplay', `"content":"","toolCalls":[{"id":"c","resultDisplay":{"odd":${deep(200_000)}}}]`],
    ['thoughts', `"content":"","thoughts":${deep(200_000)}`],
    ['tokens', `"content":"","tokens":${deep(200_000)}`],
  ])('in %s does not throw', (_, field) => {
    const parsed = parse(`${METADATA}\n{"id":"a","type":"gemini",${field}}\n`)
    expect(parsed.messages.map(({ id }) => id)).toEqual(['a'])
    JSON.stringify(parsed.messages)
  })

  it('is kept as JSON text', () => {
    const parsed = parse(
      `${METADATA}\n{"id":"a","type":"gemini","content":[{"odd":{"b":${deep(300)},"c":[1,"x"]}}]}\n`,
    )
    const [part] = parsed.messages[0]?.content ?? []
    expect(part).toEqual({ kind: 'unknown', json: `{"odd":{"b":${deep(300)},"c":[1,"x"]}}` })
    expect(parsed.issues.map(({ code }) => code)).toEqual(['too-deep'])
  })
})

function parse(text: string): ParsedFile {
  return parseSessionFile({ path: 'a.jsonl', bytes: new TextEncoder().encode(text) })
}

function expectValid(parsed: ParsedFile): void {
  for (const message of parsed.messages) messageSchema.parse(message)
}

/** Every string id of a message in any readable row of the log. */
function recordedIds(log: string): Set<string> {
  const ids = new Set<string>()
  const add = (row: unknown) => {
    if (typeof row === 'object' && row !== null && 'id' in row && typeof row.id === 'string' && row.id !== '')
      ids.add(row.id)
  }
  for (const line of log.split('\n')) {
    try {
      const row = JSON.parse(line.replaceAll('\0', ''))
      if (typeof row?.$rewindTo === 'string') continue
      add(row)
      if (typeof row?.id !== 'string') for (const listed of listedRows(row)) add(listed)
    } catch {
      // Damaged on purpose.
    }
  }
  return ids
}

/** Of a record that is a `$set` and metadata at once, only the `$set` counts. */
function listedRows(row: { $set?: { messages?: unknown } | null; messages?: unknown } | null): unknown[] {
  const isSet = typeof row?.$set === 'object' && row.$set !== null
  const list = isSet ? row.$set?.messages : row?.messages
  return Array.isArray(list) ? list : []
}
