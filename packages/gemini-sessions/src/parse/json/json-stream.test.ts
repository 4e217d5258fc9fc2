import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutMark } from './bytes.ts'
import { JsonStream } from './complete-json.ts'
import { JSON_STREAM_LIMITS } from './value-scanner.ts'

/** So small that nearly everything is opened, cut and reassembled. */
const TINY = {
  openBytes: 6,
  rowBytes: 1_000,
  longTextBytes: 5,
  maxTextBytes: 1_000_000,
  maxMediaBytes: 1_000_000,
  maxLeafBytes: 1_000_000,
  maxEntries: 1_000,
  maxRecords: 1_000,
  maxValues: 1_000_000,
}

const document = fc
  .tuple(
    fc.constantFrom<0 | 1 | 2>(0, 1, 2),
    fc.oneof(
      fc.jsonValue({ stringUnit: 'binary' }),
      fc.array(fc.dictionary(fc.constantFrom('a', '__proto__', '"\\', '名前', '👋'), fc.jsonValue())),
    ),
  )
  .map(([indent, value]) => JSON.stringify({ value }, null, indent))

describe('JSON in pieces', () => {
  it('is what JSON.parse makes of the whole', () => {
    fc.assert(
      fc.property(document, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (text, sizes) => {
        expectSame(read(text, sizes), JSON.parse(text))
      }),
      { numRuns: 2_000 },
    )
  })

  it('is refused exactly where JSON.parse refuses the whole', () => {
    const damaged = fc.tuple(
      document,
      fc.nat(),
      fc.constantFrom('', ',', '"', '\\', '}', ']', '{', ' ', '1', ':', '\n'),
    )
    fc.assert(
      fc.property(damaged, fc.integer({ min: 1, max: 9 }), ([text, place, piece], size) => {
        const at = place % text.length
        // Encoded and decoded: a lone surrogate has no UTF-8 form.
        const broken = recode(text.slice(0, at) + piece + text.slice(at + 1))
        expectSame(read(broken, [size]), parseOrUndefined(broken))
      }),
      { numRuns: 4_000 },
    )
  })

  it('tells of each item of an opened list where it stands', () => {
    fc.assert(
      fc.property(document, fc.integer({ min: 1, max: 9 }), fc.nat(1_000), (text, size, offset) => {
        const bytes = new TextEncoder().encode(text)
        const json = new JsonStream((_names, item, { start, end }) => {
          const own = new TextDecoder().decode(bytes.subarray(start - offset, end - offset))
          expectSame(JSON.parse(own), item)
          return item
        }, TINY)
        for (let at = 0; at < bytes.length; at += size) {
          if (at === 0) json.append(bytes.slice(0, size), offset)
          else json.append(bytes.slice(at, at + size))
        }
        expectSame(json.state, 'complete')
      }),
      { numRuns: 1_000 },
    )
  })

  it('keeps invalid UTF-8 as JSON.parse over the decoded whole does', () => {
    const bytes = fc.array(
      fc.constantFrom(0x41, 0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x91, 0x8b, 0xff, 0x80),
    )
    fc.assert(
      fc.property(bytes, fc.integer({ min: 1, max: 5 }), (inside, size) => {
        const whole = new Uint8Array([0x5b, 0x22, ...inside, 0x22, 0x5d])
        expectSame(readBytes(whole, [size]), JSON.parse(new TextDecoder().decode(whole)))
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    ['escapes next to each other', '["\\\\\\\\\\"\\u00e9\\ud83d\\ude00\\n\\\\"]'],
    ['a name twice', '{"aaaaaaaa":1,"bbbbbbbb":2,"aaaaaaaa":3}'],
    ['__proto__ as a name', '{"__proto__":{"polluted":1},"constructor":{"prototype":{"x":1}}}'],
    ['numbers of any size', `[1e999,-0,1e308,${'9'.repeat(400)},-1e-999]`],
    ['blanks everywhere', ' \r\n\t{ "a" : [ ] , "b" : { } , "c" : [ 1 , 2 ] } \n'],
  ])('%s', (_, text) => {
    const value = read(text, [3])
    expect(value).toEqual(JSON.parse(text))
    expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)))
    expect(Object.getPrototypeOf({})).toBe(Object.prototype)
    expect({}).not.toHaveProperty('polluted')
  })

  it.each([
    '',
    '  ',
    '1',
    '"text"',
    '{"a":1}{',
    '{"a":1},',
    '[1,]',
    '{"a"}',
    '{,}',
    '[}',
    '{"a":1,}',
    '\v[]',
  ])('has no value: %j', (text) => {
    expect(read(text, [2])).toBeUndefined()
  })

  it('opens no deeper than a few levels, and still reads what lies below', () => {
    const text = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    let value = read(text, [1_000])
    let depth = 0
    for (; Array.isArray(value); value = value[0]) depth += 1
    expect(depth).toBe(200_000)
  })

  it('keeps all else when one value is too large for a string', () => {
    const stream = new JsonStream(undefined, { ...TINY, maxTextBytes: 20, maxLeafBytes: 20 })
    const text = `{"short":1,"long":"${'0123456789'.repeat(5)}","number":${'7'.repeat(30)},"last":[2]}`
    stream.append(new TextEncoder().encode(text))
    expect(stream.value).toEqual({
      short: 1,
      long: `01234567890123456789${cutMark(52, '20 bytes')}`,
      number: cutMark(30, '0 bytes'),
      last: [2],
    })
    expect(stream.tooLargeBytes).toEqual([52, 30])
  })
})

it('asks for each item of a list that is too large to be parsed at once', () => {
  const seen: unknown[] = []
  const stream = new JsonStream((names, item) => {
    seen.push([names.join('.'), item])
    return 0
  }, TINY)
  stream.append(new TextEncoder().encode('{"$set":{"messages":[{"id":1},{"id":2}]},"b":[1]}'))
  expect(stream.value).toEqual({ $set: { messages: [0, 0] }, b: [1] })
  expect(seen).toEqual([
    ['$set.messages', { id: 1 }],
    ['$set.messages', { id: 2 }],
  ])
})

function read(text: string, sizes: readonly number[]): unknown {
  return readBytes(new TextEncoder().encode(text), sizes)
}

/** All pieces share one `Buffer`, as when a file is read chunk by chunk. */
function readBytes(bytes: Uint8Array, sizes: readonly number[]): unknown {
  const stream = new JsonStream(undefined, TINY)
  const buffer = Buffer.alloc(Math.max(...sizes))
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1
    const piece = bytes.subarray(at, at + size)
    buffer.set(piece)
    stream.append(buffer.subarray(0, piece.length))
    at += size
  }
  return stream.value
}

function recode(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text))
}

function parseOrUndefined(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

it('B11: of an object with too many fields the first are held, the rest is counted, and what follows is read', () => {
  const stream = new JsonStream(undefined, { ...TINY, maxEntries: 2 })
  stream.append(new TextEncoder().encode('{"x":{"a":1,"b":2,"c":3,"d":4},"y":"text"}'))
  expect(stream.value).toEqual({ x: { a: 1, b: 2, '…': cutMark(25, '2 fields') }, y: 'text' })
  expect(stream.tooLargeBytes).toEqual([25])
})

it('B11: fields that are not held are passed over unread, wherever their bytes are cut', () => {
  const surplus = '"c":{"x":"}\\"{"},"d":[1,{"e":"]"}],"f" : no JSON at all'
  const bytes = new TextEncoder().encode(`{"a":{"b":1,"b2":2,${surplus}},"z":3}`)
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const stream = new JsonStream(undefined, { ...TINY, maxEntries: 2 })
    stream.append(bytes.subarray(0, cut))
    stream.append(bytes.subarray(cut))
    const size = bytes.length - '{"a":'.length - ',"z":3}'.length
    expect(stream.value).toEqual({ a: { b: 1, b2: 2, '…': cutMark(size, '2 fields') }, z: 3 })
    expect(stream.tooLargeBytes).toEqual([size])
  }
})

it('B11: a text is cut at the same place in whatever pieces it comes, never within a character or an escape', () => {
  const bytes = new TextEncoder().encode(
    '{"text":"aé👋\\u00e9\\\\ńb👋👋👋👋","data":"01234567890123456789012345"}',
  )
  const held = ['', 'a', 'aé', 'aé👋', 'aé👋é', 'aé👋é\\', 'aé👋é\\ń', 'aé👋é\\ńb']
  for (let maxTextBytes = 6; maxTextBytes < 20; maxTextBytes += 1) {
    const texts = Array.from({ length: bytes.length }, (_, cut) => {
      const stream = new JsonStream(undefined, { ...TINY, maxTextBytes, maxMediaBytes: 100 })
      stream.append(bytes.subarray(0, cut))
      stream.append(bytes.subarray(cut))
      expect(stream.value).toMatchObject({ data: '01234567890123456789012345' })
      return (stream.value as { text: string }).text.split('…')[0] ?? ''
    })
    expect(new Set(texts).size).toBe(1)
    expect(held).toContain(texts[0])
  }
})

it('B11: of a list with too many items the first are held, wherever its bytes are cut', () => {
  const bytes = new TextEncoder().encode('{"a":[[1],"2",{"b":"]"},[3],"4"],"z":[5]}')
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const stream = new JsonStream(undefined, { ...TINY, maxEntries: 2 })
    stream.append(bytes.subarray(0, cut))
    stream.append(bytes.subarray(cut))
    expect(stream.value).toEqual({ a: [[1], '2', cutMark(27, '2 items')], z: [5] })
    expect(stream.tooLargeBytes).toEqual([27])
  }
})

it('B11: values count together wherever they stand in a record, whose own fields are all read', () => {
  const stream = new JsonStream(undefined, { ...TINY, maxValues: 6 })
  const rows = ['{"a":[[1,2],[3,4],[5,6],[7,8]],"id":1}', '{"a":[[1,2]],"id":2}']
  stream.append(new TextEncoder().encode(`{"messages":[${rows.join()}],"b":3}`))
  expect(stream.value).toEqual({
    messages: [
      { a: [[1, 2], [3, 4], cutMark(25, '2 items')], id: 1 },
      { a: [[1, 2]], id: 2 },
    ],
    b: 3,
  })
  expect(stream.tooLargeBytes).toEqual([25])
})

it('B11: of too many messages the first are held, and nothing stands among them that is none', () => {
  const stream = new JsonStream(undefined, { ...TINY, maxRecords: 2, maxEntries: 1 })
  stream.append(new TextEncoder().encode('{"$set":{"messages":[{"id":1},{"id":2},{"id":3}]}}'))
  expect(stream.value).toEqual({ $set: { messages: [{ id: 1 }, { id: 2 }] } })
  expect(stream.tooLargeBytes).toEqual([28])
})

it('a large row that nobody else reads is opened', () => {
  const row = `{"list":[${'{"a":"b"},'.repeat(150_000)}1]}`
  const stream = new JsonStream(undefined, JSON_STREAM_LIMITS, () => undefined)
  stream.append(new TextEncoder().encode(`{"messages":[${row},{"id":2}]}`))
  const value = stream.value as { messages: { list: unknown[] }[] }
  expect(value.messages[0]?.list.length).toBe(JSON_STREAM_LIMITS.maxEntries + 1)
  expect(value.messages[1]).toEqual({ id: 2 })
})

/** Called thousands of times in a property; Vitest's own comparison is much slower, so it only formats differences. */
function expectSame(actual: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(actual, wanted)) expect(actual).toEqual(wanted)
}
