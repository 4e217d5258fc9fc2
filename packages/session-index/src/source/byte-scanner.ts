import { byteScannerModule, SCANNER_MEMORY } from './byte-scanner-module.ts'

const CHUNK_BYTES = 1024 * 1024
const PAGE_BYTES = 64 * 1024
/** The loops look at 16 bytes at a time, up to so many beyond the last one. */
const PADDING_BYTES = PAGE_BYTES

interface ScannerExports {
  find(at: number, end: number, length: number, first: number, second: number): number
  nextBreak(at: number, end: number): number
}

// The types of Node name these, but not as values.
declare const WebAssembly: {
  Memory: new (description: { initial: number }) => { buffer: ArrayBuffer }
  Module: new (bytes: Uint8Array<ArrayBuffer>) => object
  Instance: new (module: object, imports: { env: { memory: object } }) => { exports: object }
}

/** What is looked for, as the tables of `SCANNER_MEMORY` have it. */
export interface ScannedBytes {
  wanted: Uint8Array
  ignored: Uint8Array
  /** Places of the two bytes that are looked for first, as they are rare. */
  rarest: readonly [number, number]
  before: Uint8Array
  behindQuote: Uint8Array
  characters: Uint8Array
}

/** Looks for bytes in one chunk of a file at a time. There is one for a thread: who fills it looks at once. */
export class ByteScanner {
  static #one: ByteScanner | null = null
  /** To be filled with what is to be looked at. */
  readonly chunk: Buffer
  readonly #memory: Uint8Array
  readonly #exports: ScannerExports
  #scanned: ScannedBytes | null = null

  static get one(): ByteScanner {
    ByteScanner.#one ??= new ByteScanner()
    return ByteScanner.#one
  }

  constructor() {
    const pages = (SCANNER_MEMORY.bytes + CHUNK_BYTES + PADDING_BYTES) / PAGE_BYTES
    const memory = new WebAssembly.Memory({ initial: pages })
    const module = new WebAssembly.Module(byteScannerModule())
    const { exports } = new WebAssembly.Instance(module, { env: { memory } })
    this.#exports = exports as ScannerExports
    this.#memory = new Uint8Array(memory.buffer)
    this.chunk = Buffer.from(memory.buffer, SCANNER_MEMORY.bytes, CHUNK_BYTES)
  }

  /** Says what to look for from now on. */
  use(scanned: ScannedBytes): void {
    if (this.#scanned === scanned) return
    this.#scanned = scanned
    for (const table of ['wanted', 'ignored', 'before', 'behindQuote', 'characters'] as const) {
      this.#memory.set(scanned[table], SCANNER_MEMORY[table])
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
    const found = look(at + SCANNER_MEMORY.bytes, end + SCANNER_MEMORY.bytes)
    return found < 0 ? -1 : found - SCANNER_MEMORY.bytes
  }
}
