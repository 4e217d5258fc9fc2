import { describe, expect, it } from 'vitest'
import { stitchGroup } from '../src/derive/stitch.ts'
import { messageSchema, type ParsedFile, parseSessionFile, readSessionHead } from '../src/index.ts'
import { parseIssueSchema } from '../src/model/issue.ts'

const TIME = '2026-11-21T20:30:00.000Z'
const METADATA = `{"sessionId":"s","projectHash":"p","startTime":"${TIME}","lastUpdated":"${TIME}"}`
const MANY = 100_000

describe('R21: wrong types in every field of every record', () => {
  const WRONG = [
    'null',
    'true',
    '-0',
    '1e999',
    '1e308',
    '123456789012345678901234567890',
    '"NaN"',
    '""',
    '"\\ud800"',
    '[]',
    '[null,1,"a",[],{}]',
    '{}',
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"prototype":1}',
    `${'[['.repeat(150)}${']]'.repeat(150)}`,
    `${'{"a":'.repeat(300)}1${'}'.repeat(300)}`,
  ]
  const CALL = {
    id: 'c',
    name: 'run_shell_command',
    args: { command: 'ls' },
    result: [{ functionResponse: { id: 'c', name: 'run_shell_command', response: { output: 'x' } } }],
    status: 'success',
    timestamp: TIME,
    resultDisplay: { fileDiff: '@@', fileName: 'a', filePath: 'a', originalContent: '', newContent: 'x' },
    description: 'ls',
    displayName: 'Shell',
    renderOutputAsMarkdown: true,
    agentId: 'agent',
  }
  const MESSAGE = {
    id: 'm',
    timestamp: TIME,
    type: 'gemini',
    content: [{ text: 'hi' }, { inlineData: { mimeType: 'image/png', data: 'QUJD' } }],
    displayContent: [{ text: 'hi' }],
    thoughts: [{ subject: 's', description: 'd', timestamp: TIME }],
    tokens: { input: 1, output: 2, cached: 0, thoughts: 0, tool: 0, total: 3 },
    model: 'gemini-2.5-pro',
    toolCalls: [CALL],
  }
  const HEADER = {
    sessionId: 's',
    projectHash: 'p',
    startTime: TIME,
    lastUpdated: TIME,
    kind: 'main',
    summary: 'x',
    directories: ['/a'],
    memoryScratchpad: {},
    messages: [MESSAGE],
  }
  const RECORDS: Record<string, object> = {
    metadata: HEADER,
    message: MESSAGE,
    prompt: { ...MESSAGE, type: 'user' },
    '$set of metadata': { $set: { ...HEADER, messages: [MESSAGE] } },
    $rewindTo: { $rewindTo: 'm' },
    $patch: {
      $patch: {
        id: 'm',
        content: 'x',
        toolCalls: [CALL],
        updates: [{ id: 'm', content: 'y' }],
        removeIds: ['m'],
        orderIds: ['m'],
      },
    },
  }

  it.each(Object.entries(RECORDS))('%s', (_, record) => {
    const text = JSON.stringify(record)
    for (const [start, end] of valuePlaces(text)) {
      for (const wrong of WRONG) {
        const broken = text.slice(0, start) + wrong + text.slice(end)
        expectValid(parse(`${METADATA}\n${JSON.stringify(MESSAGE)}\n${broken}\n`))
        expectValid(parse(broken))
      }
    }
    expect({}).not.toHaveProperty('polluted')
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })
})

describe('names that are no names', () => {
  const EVIL = '{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}},"prototype":1}'

  it.each([
    ['in a line', `"args":${EVIL}`],
    ['in a line that is opened', `"args":{"filler":"${'x'.repeat(1_100_000)}","evil":${EVIL}}`],
  ])('keeps __proto__ as data %s', (_, args) => {
    const parsed = parse(
      `${METADATA}\n{"id":"a","type":"gemini","content":"","toolCalls":[{"id":"c",${args}}]}\n`,
    )
    expect(JSON.stringify(parsed.messages[0]?.toolCalls[0]?.args)).toContain(EVIL)
    expect({}).not.toHaveProperty('polluted')
  })

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('R20: takes %s as an id', (id) => {
    const call = `{"id":"${id}","name":"${id}","status":"${id}","args":{}}`
    const row = `{"id":"${id}","type":"gemini","content":"","model":"${id}","toolCalls":[${call}]}`
    const parsed = parse(`${METADATA}\n${row}\n{"$set":{"messages":[${row}]}}\n`)
    expectValid(parsed)
    expect(parsed.messages.map(({ key, model }) => [key, model])).toEqual([[id, id]])
  })

  it('takes the last of two fields with one name', () => {
    const parsed = parse(`${METADATA}\n{"id":"a","id":"b","type":"user","content":"1","content":"2"}\n`)
    expect(parsed.messages).toMatchObject([{ id: 'b', content: [{ kind: 'text', text: '2' }] }])
  })
})

describe('nesting beyond any stack', () => {
  const lists = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
  const objects = `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`
  const wide = `${'['.repeat(300)}${'1,'.repeat(300_000)}1${']'.repeat(300)}`

  it.each([
    ['lists', lists],
    ['objects', objects],
    ['very wide lists', wide],
  ])('%s, in each place', (_, deep) => {
    const call = `{"id":"c","name":"n","args":${deep},"resultDisplay":${deep}}`
    const row = `{"id":"a","type":"gemini","content":"hi","toolCalls":[${call}]}`
    const texts = [
      `${METADATA}\n${row}\n`,
      `${METADATA}\n{"id":"a","type":"user","content":"hi","thoughts":${deep}}\n`,
      `${METADATA.slice(0, -1)},"messages":[${row}]}`,
      `{\n  "sessionId": "s",\n  "messages": [\n    ${row}\n  ]\n}`,
    ]
    for (const text of texts) {
      const parsed = parse(text)
      expectValid(parsed)
      expect(parsed.messages.map(({ id }) => id)).toEqual(['a'])
      readSessionHead(new TextEncoder().encode(text.slice(0, 16_384)))
    }
    for (const text of [deep, `${METADATA}\n${deep}\n`, deep.slice(0, 100_000)]) expectValid(parse(text))
  })
})

describe('bytes that are no text', () => {
  const row = '{"id":"a","type":"user","content":"hi"}'
  const text = `${METADATA}\n${row}\n`
  const utf16 = (mark: number[], isBig: boolean) =>
    new Uint8Array([
      ...mark,
      ...[...text].flatMap((char) => (isBig ? [0, char.charCodeAt(0)] : [char.charCodeAt(0), 0])),
    ])

  it.each<[string, Uint8Array]>([
    ['UTF-16, little end first', utf16([0xff, 0xfe], false)],
    ['UTF-16, big end first', utf16([0xfe, 0xff], true)],
    ['a hundred thousand NULs', new Uint8Array(MANY)],
    ['a hundred thousand NULs and a log', join(new Uint8Array(MANY), encode(text))],
    ['a log and a hundred thousand NULs', join(encode(text), new Uint8Array(MANY))],
    ['a hundred thousand bytes 0xFF', new Uint8Array(MANY).fill(0xff)],
    ['a hundred thousand opening quotes', new Uint8Array(MANY).fill(34)],
    [
      'a hundred thousand backslashes in a text',
      encode(`${METADATA}\n{"id":"a","content":"${'\\\\'.repeat(MANY)}"}`),
    ],
    ['a text that never ends', encode(`${METADATA}\n{"id":"a","content":"${'x'.repeat(3 * MANY)}`)],
    ['every byte', Uint8Array.from({ length: 256 * 40 }, (_, index) => index % 256)],
  ])('%s', (_, bytes) => {
    for (const path of ['a.json', 'a.jsonl']) expectValid(parseSessionFile({ path, bytes }))
    readSessionHead(bytes.subarray(0, 65_536))
  })

  it('reads on behind NULs, marks and bad bytes', () => {
    const bytes = join(new Uint8Array(MANY), encode(`\uFEFF${text.replaceAll('\n', '\r\n')}`))
    expect(parseSessionFile({ path: 'a.jsonl', bytes }).messages.map(({ id }) => id)).toEqual(['a'])
  })
})

// With quadratic work most of these would take minutes. Five times as many took two to seven times as long.
describe('much of anything', () => {
  it.each<[string, () => string, number]>([
    ['empty lines', () => '\n'.repeat(MANY), 0],
    ['lines that are no JSON', () => 'x\n'.repeat(MANY), 0],
    ['blanks in one line', () => ' '.repeat(MANY), 0],
    ['repeats of one id', () => '{"id":"a","type":"user","content":"hi"}\n'.repeat(MANY), 1],
    ['metadata lines', () => `${METADATA}\n`.repeat(MANY / 4), 0],
    ['tiny messages', () => rows(MANY / 2), MANY / 2],
    ['messages without id', () => lines(MANY / 4, (n) => `{"type":"user","content":"${n}"}`), MANY / 4],
    ['rewinds to nothing', () => `${rows(1_000)}${'{"$rewindTo":"none"}\n'.repeat(MANY)}`, 1_000],
    [
      'rewinds, one by one from the end',
      () => rows(20_000) + lines(20_000, (n) => `{"$rewindTo":"m${19_999 - n}"}`),
      20_000,
    ],
    [
      'rewinds of a prompt behind many notices',
      () =>
        lines(20_000, (n) => `{"id":"i${n}","type":"info","content":"x"}`) +
        lines(20_000, (n) => `{"id":"p${n}","type":"user","content":"x"}\n{"$rewindTo":"p${n}"}`),
      40_000,
    ],
    ['runs of a sub-agent', () => lines(20_000, agentRun), 40_000],
    ['copies of one text', () => copies(20_000), 40_000],
  ])('%s', (_, make, count) => {
    const parsed = parse(`${METADATA}\n${make()}`)
    expect(parsed.messages).toHaveLength(count)
    for (const message of parsed.messages.slice(0, 100)) messageSchema.parse(message)
    stitchGroup([{ home: '/h', parsed }])
  })

  it('calls in one message, with their results in one turn', () => {
    const count = 2_000
    const call = (n: number) => `{"id":"c${n}","name":"glob","args":{},"status":"success"}`
    const part = (n: number) =>
      `{"functionResponse":{"id":"c${n}","name":"glob","response":{"output":"o${n}"}}}`
    const list = (make: (n: number) => string) => Array.from({ length: count }, (_, n) => make(n)).join(',')
    const answer = `{"id":"a","type":"gemini","content":"","toolCalls":[${list(call)}]}`
    const turn = `{"id":"t","type":"user","content":[${list(part)}]}`
    const parsed = parse(
      `${METADATA}\n${answer}\n${turn}\n${turn}\n{"$set":{"messages":[${answer},${turn}]}}\n`,
    )
    expect(parsed.messages[0]?.toolCalls.at(-1)?.output).toEqual({ kind: 'text', text: `o${count - 1}` })
  })

  it('one list of messages, five hundred times', () => {
    const row = (n: number) => `{"id":"m${n}","type":"user","content":"${'hello '.repeat(20)}"}`
    const list = Array.from({ length: 1_000 }, (_, n) => row(n)).join(',')
    const parsed = parse(`${METADATA}\n${`{"$set":{"messages":[${list}]}}\n`.repeat(500)}`)
    expect(parsed.messages).toHaveLength(1_000)
    expect(parsed.messages.every(({ superseded }) => superseded === null)).toBe(true)
  })

  it('spans of context in one prompt', () => {
    const text = '<session_context>x</session_context>'.repeat(100_000)
    const parsed = parse(`${METADATA}\n{"id":"a","type":"user","content":"${text}hi"}\n`)
    expect(parsed.messages[0]?.attachments).toHaveLength(100_000)
    expect(parsed.messages[0]?.content).toEqual([{ kind: 'text', text: 'hi' }])
  })

  it('brackets in the first bytes of a file', () => {
    for (const text of [
      '['.repeat(65_536),
      '[]'.repeat(32_768),
      `${'['.repeat(32_768)}${']'.repeat(32_767)}`,
    ]) {
      expect(readSessionHead(encode(text)).sessionId).toBeNull()
      expect(readSessionHead(encode(`{\n"a":${text}`)).sessionId).toBeNull()
    }
  })
})

function rows(count: number): string {
  return lines(count, (n) => `{"id":"m${n}","type":"user","content":"x"}`)
}

function lines(count: number, make: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => `${make(n)}\n`).join('')
}

function agentRun(n: number): string {
  const task = 'Your task is to do a deep investigation of the codebase'
  return `{"id":"r${n}","type":"user","content":"${task}"}\n{"id":"h${n}","type":"user","content":"thanks"}`
}

/** An aborted turn whose history continues under new ids, all with the same text. */
function copies(count: number): string {
  const row = (id: string) => `{"id":"${id}","type":"user","content":"go on"}`
  const list = Array.from({ length: count }, (_, n) => row(`new${n}`)).join(',')
  return (
    lines(count, (n) => row(`old${n}`)) +
    lines(count, (n) => row(`new${n}`)) +
    `{"$set":{"messages":[${list}]}}\n`
  )
}

/** Start and end of every value in a JSON text. */
function valuePlaces(text: string): [number, number][] {
  const places: [number, number][] = []
  const open: number[] = []
  for (let at = 0; at < text.length; at += 1) {
    const literal = /^("(?:[^"\\]|\\.)*"|-?\d+|true|null)/.exec(text.slice(at))?.[0]
    const char = text[at] ?? ''
    if (literal) {
      if (text[at + literal.length] !== ':') places.push([at, at + literal.length])
      at += literal.length - 1
    } else if ('{['.includes(char)) open.push(at)
    else if ('}]'.includes(char)) places.push([open.pop() ?? 0, at + 1])
  }
  return places
}

function expectValid(parsed: ParsedFile): void {
  for (const message of parsed.messages) messageSchema.parse(message)
  for (const issue of parsed.issues) parseIssueSchema.parse(issue)
  expect(
    parsed.messages.length + parsed.issues.length + Number(parsed.header.sessionId !== null),
  ).toBeGreaterThan(0)
}

function parse(text: string): ParsedFile {
  return parseSessionFile({ path: 'a.jsonl', bytes: encode(text) })
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function join(...pieces: Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(pieces))
}
