import { isUtf8 } from 'node:buffer'
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'

type ProtoValue = number | bigint | Uint8Array

/** A protobuf message without its schema: fields by number. A missing field is 0, '' or empty, since proto3 omits zeros. */
export class ProtoMessage {
  readonly #fields: ReadonlyMap<number, readonly ProtoValue[]>

  private constructor(fields: ReadonlyMap<number, readonly ProtoValue[]>) {
    this.#fields = fields
  }

  /** null: the bytes are not a message. Nested messages are parsed on demand. */
  static read(bytes: Uint8Array): ProtoMessage | null {
    const fields = new Map<number, ProtoValue[]>()
    const reader = new BinaryReader(bytes)
    try {
      while (reader.pos < reader.len) {
        const [number, type] = reader.tag()
        const value = readValue(reader, type)
        const values = fields.get(number)
        if (values === undefined) fields.set(number, [value])
        else values.push(value)
      }
    } catch {
      return null
    }
    return new ProtoMessage(fields)
  }

  has(field: number): boolean {
    return this.#fields.has(field)
  }

  get numbers(): number[] {
    return [...this.#fields.keys()]
  }

  values(field: number): readonly ProtoValue[] {
    return this.#fields.get(field) ?? []
  }

  /** An integer; rounded beyond 2^53. */
  number(field: number): number {
    const value = this.#last(field)
    return typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : 0
  }

  text(field: number): string {
    const value = this.#last(field)
    return value instanceof Uint8Array ? toText(value) : ''
  }

  bytes(field: number): Uint8Array | null {
    const value = this.#last(field)
    return value instanceof Uint8Array ? value : null
  }

  texts(field: number): string[] {
    return this.values(field).flatMap((value) => (value instanceof Uint8Array ? [toText(value)] : []))
  }

  message(field: number): ProtoMessage | null {
    const value = this.#last(field)
    return value instanceof Uint8Array ? ProtoMessage.read(value) : null
  }

  messages(field: number): ProtoMessage[] {
    return this.values(field).flatMap((value) => {
      const message = value instanceof Uint8Array ? ProtoMessage.read(value) : null
      return message === null ? [] : [message]
    })
  }

  /** Of a repeated field, the last value counts. */
  #last(field: number): ProtoValue | undefined {
    return this.#fields.get(field)?.at(-1)
  }
}

function readValue(reader: BinaryReader, type: WireType): ProtoValue {
  if (type === WireType.LengthDelimited) return reader.bytes()
  if (type === WireType.Varint) return toNumber(reader.int64())
  if (type === WireType.Bit32) return reader.fixed32()
  if (type === WireType.Bit64) return toNumber(reader.fixed64())
  throw new Error('Groups are not written any more.')
}

function toNumber(value: bigint | string): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : BigInt(value)
}

export function toText(bytes: Uint8Array): string {
  const buffer = Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return buffer.toString('utf8')
}

const MAX_DEPTH = 12
/** For longer bytes only the length is shown; the file still has them. */
const MAX_BYTES = 16_384
const CONTROL = /[^\P{Cc}\t\n\r]/u

/**
 * A message as JSON, to show content of unknown meaning: fields by number. Bytes are shown as text if they are text, else as a message if
 * they are one, else as base64.
 */
export function rawFields(message: ProtoMessage, depth = 0): Record<string, unknown> {
  return Object.fromEntries(
    message.numbers.map((number) => {
      const values = message.values(number).map((value) => rawValue(value, depth))
      return [String(number), values.length === 1 ? values[0] : values]
    }),
  )
}

function rawValue(value: number | bigint | Uint8Array, depth: number): unknown {
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number') return value
  if (value.length > MAX_BYTES) return { bytes: value.length }
  if (isUtf8(value)) {
    const text = toText(value)
    if (!CONTROL.test(text)) return text
  }
  const message = depth < MAX_DEPTH ? ProtoMessage.read(value) : null
  return message === null ? { base64: Buffer.from(value).toString('base64') } : rawFields(message, depth + 1)
}
