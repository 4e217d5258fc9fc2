const CHUNK_BYTES = 1024 * 1024

/** `byte-scanner.wat`, compiled, as base64: put in by every build (`scripts/define-byte-scanner.ts`). */
declare const __BYTE_SCANNER__: string

type Table = 'wanted' | 'ignored' | 'before' | 'behindQuote' | 'characters'

interface ScannerExports extends Record<Table | 'chunk', { value: number }> {
  memory: { buffer: ArrayBuffer }
  find(at: number, end: number, length: number, first: number, second: number): number
  nextBreak(at: number, end: number): number
}

// The types of Node name these, but not as values.
declare const WebAssembly: {
  Module: new (bytes: Uint8Array<ArrayBuffer>) => object
  Instance: new (module: object) => { exports: object }
}

/** What is looked for, as the tables in `byte-scanner.wat` have it. */
export interface ScannedBytes extends Record<Table, Uint8Array> {
  /** Places of the two bytes that are looked for first, as they are rare. */
  rarest: readonly [number, number]
}

/** What a character beyond ASCII may be to a match, in the table of characters. */
export const RELEVANT = { asLetter: 1, between: 2 } as const

/** Looks for bytes in one chunk of a file at a time. There is one for a thread: who fills it looks at once. */
export class ByteScanner {
  static #one: ByteScanner | null = null
  /** To be filled with what is to be looked at. */
  readonly chunk: Buffer
  readonly #memory: Uint8Array
  readonly #chunkAt: number
  readonly #exports: ScannerExports
  #scanned: ScannedBytes | null = null

  static get one(): ByteScanner {
    ByteScanner.#one ??= new ByteScanner()
    return ByteScanner.#one
  }

  constructor() {
    const module = new WebAssembly.Module(Uint8Array.from(Buffer.from(__BYTE_SCANNER__, 'base64')))
    this.#exports = new WebAssembly.Instance(module).exports as ScannerExports
    const { buffer } = this.#exports.memory
    this.#memory = new Uint8Array(buffer)
    this.#chunkAt = this.#exports.chunk.value
    this.chunk = Buffer.from(buffer, this.#chunkAt, CHUNK_BYTES)
  }

  /** Says what to look for from now on. */
  use(scanned: ScannedBytes): void {
    if (this.#scanned === scanned) return
    this.#scanned = scanned
    for (const table of ['wanted', 'ignored', 'before', 'behindQuote', 'characters'] as const) {
      this.#memory.set(scanned[table], this.#exports[table].value)
    }
  }

  /** Where in the chunk the wanted bytes stand as they are, from `at` on; -1 if nowhere before `end`. */
  find(at: number, end: number): number {
    if (this.#scanned === null) return -1
    const { wanted, rarest } = this.#scanned
    const lastStart = end - wanted.length + 1
    return this.#inChunk((from, to) => this.#exports.find(from, to, wanted.length, ...rarest), at, lastStart)
  }

  /** The next place at which they may be written in another way; -1 if there is none before `end`. */
  nextBreak(at: number, end: number): number {
    return this.#inChunk((from, to) => this.#exports.nextBreak(from, to), at, end)
  }

  #inChunk(look: (from: number, to: number) => number, at: number, end: number): number {
    const found = look(at + this.#chunkAt, end + this.#chunkAt)
    return found < 0 ? -1 : found - this.#chunkAt
  }
}
