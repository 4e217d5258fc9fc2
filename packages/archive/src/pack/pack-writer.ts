import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs'
import { PACK_TITLE, type PackFolder } from './pack-folder.ts'

/** A pack that has reached this is not written to any more: what changed is proven again, and that has to stay quick. */
const FULL_PACK_BYTES = 32 * 1024 * 1024

export interface PackPosition {
  pack: number
  offset: number
}

/** Appends records to the last pack; behind what a stopped writer left unfinished, a new one is begun. */
export class PackWriter {
  readonly #packs: PackFolder
  #open: { descriptor: number; pack: number; end: number } | null = null
  /** The last pack, and where it ends; null: a new one has to be begun. */
  #next: PackPosition | null
  #hasUnsynced = false

  constructor(packs: PackFolder, next: PackPosition | null) {
    this.#packs = packs
    this.#next = next
  }

  /** @throws where the system refuses it; what was written of it is taken back then */
  append(record: Uint8Array): PackPosition {
    const open = this.#openPack()
    const offset = open.end
    // A machine that slept for long has lost its lock without knowing.
    if (fstatSync(open.descriptor).size !== offset)
      throw new Error(`another process has written to ${this.#packs.path(open.pack)} meanwhile`)
    this.#hasUnsynced = true
    try {
      writeAll(open.descriptor, record, offset)
    } catch (error) {
      takeBack(open.descriptor, offset)
      throw error
    }
    open.end = offset + record.length
    return { pack: open.pack, offset }
  }

  /** What was appended outlives a power cut. */
  sync(): void {
    if (this.#hasUnsynced && this.#open !== null) fsyncSync(this.#open.descriptor)
    this.#hasUnsynced = false
  }

  close(): void {
    if (this.#open === null) return
    this.sync()
    closeSync(this.#open.descriptor)
    this.#open = null
  }

  #openPack(): { descriptor: number; pack: number; end: number } {
    if (this.#open !== null && this.#open.end >= FULL_PACK_BYTES) {
      this.close()
      this.#next = null
    }
    this.#open ??= this.#openLast() ?? this.#begin()
    return this.#open
  }

  #openLast(): { descriptor: number; pack: number; end: number } | null {
    if (this.#next === null || this.#next.offset >= FULL_PACK_BYTES) return null
    const { pack, offset } = this.#next
    return { descriptor: openSync(this.#packs.path(pack), 'r+'), pack, end: offset }
  }

  #begin(): { descriptor: number; pack: number; end: number } {
    this.#packs.create()
    const pack = (this.#packs.list().at(-1) ?? 0) + 1
    const descriptor = openSync(this.#packs.path(pack), 'wx', 0o600)
    try {
      writeAll(descriptor, PACK_TITLE, 0)
    } catch (error) {
      closeSync(descriptor)
      rmSync(this.#packs.path(pack), { force: true })
      throw error
    }
    return { descriptor, pack, end: PACK_TITLE.length }
  }
}

function writeAll(descriptor: number, bytes: Uint8Array, position: number): void {
  let written = 0
  while (written < bytes.length)
    written += writeSync(descriptor, bytes, written, bytes.length - written, position + written)
}

function takeBack(descriptor: number, offset: number): void {
  try {
    ftruncateSync(descriptor, offset)
  } catch {
    // It stays behind as unfinished, and the next writer begins a new pack.
  }
}
