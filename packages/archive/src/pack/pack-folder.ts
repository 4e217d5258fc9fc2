import { closeSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type FoundRecord, type PackScan, readAt, scanPack } from './scan-pack.ts'

/** Each pack begins with these words, so that whoever finds one knows what it is. */
export const PACK_TITLE = Buffer.from('gemini-dash archive, packed files, 1\n')

const PACK_FILE = /^(\d{6})\.pack$/

/** The numbered files of an archive that hold all there is, written one after the other and never changed. */
export class PackFolder {
  readonly #folder: string

  constructor(archiveFolder: string) {
    this.#folder = join(archiveFolder, 'packs')
  }

  create(): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
  }

  path(pack: number): string {
    return join(this.#folder, `${String(pack).padStart(6, '0')}.pack`)
  }

  /** In the order in which they were written; none where nothing was kept yet. */
  list(): number[] {
    try {
      return readdirSync(this.#folder)
        .flatMap((name) => PACK_FILE.exec(name)?.[1] ?? [])
        .map(Number)
        .sort((a, b) => a - b)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw error
    }
  }

  /** Changes with every writing of the pack, by whomever. */
  identity(pack: number): string {
    const { size, mtimeNs, ctimeNs, ino } = statSync(this.path(pack), { bigint: true })
    return `${size} ${mtimeNs} ${ctimeNs} ${ino}`
  }

  sizeBytes(): number {
    return this.sizes().reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  }

  /** In the order in which they were written. */
  sizes(): { name: string; sizeBytes: number }[] {
    return this.list().map((pack) => {
      const path = this.path(pack)
      return { name: basename(path), sizeBytes: statSync(path).size }
    })
  }

  /** `start` 0: from its beginning. */
  scan(pack: number, start: number, onRecord: (record: FoundRecord) => void): PackScan {
    return this.withPack(pack, (descriptor) => {
      const { size } = statSync(this.path(pack))
      if (start > 0) return scanPack(descriptor, { start, sizeBytes: size }, onRecord)
      const title = readAt(descriptor, 0, PACK_TITLE.length)
      if (title.length < PACK_TITLE.length) return { end: 0, isTorn: true, damaged: [] }
      const scan = scanPack(descriptor, { start: PACK_TITLE.length, sizeBytes: size }, onRecord)
      return title.equals(PACK_TITLE) ? scan : { ...scan, damaged: [0, ...scan.damaged] }
    })
  }

  withPack<Result>(pack: number, work: (descriptor: number) => Result): Result {
    const descriptor = openSync(this.path(pack), 'r')
    try {
      return work(descriptor)
    } finally {
      closeSync(descriptor)
    }
  }
}
