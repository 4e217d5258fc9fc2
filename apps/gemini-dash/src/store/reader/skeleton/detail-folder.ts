import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { CACHE_FORMAT } from '@gemini-dash/session-index'
import type { Written } from '../../messages/written.ts'
import type { DetailParts, SessionPlace } from '../place/session-place.ts'
import { OpenedFolder, type TellProblem } from './opened-folder.ts'
import { openedName, skeletonStamp } from './skeleton.ts'
import { toSkeletonLine } from './skeleton-text.ts'

const NEWLINE = 10

/**
 * What the page of a large session begins with, on disk beside its skeleton: a page is asked for this first, and to make
 * it every message is looked at. A file is a line that says of what it is, a checksum, and the answer.
 */
export class DetailFolder {
  readonly #folder: OpenedFolder
  readonly #format: string

  /** @param format of what is written here; what has another is made anew */
  constructor(directory: string, format = CACHE_FORMAT.files, tellProblem: TellProblem = () => {}) {
    this.#folder = new OpenedFolder(directory, tellProblem)
    this.#format = format
  }

  /** null: there is none of these files as they are now, with these prices and sub-agents. */
  async read(place: SessionPlace): Promise<Written<DetailParts> | null> {
    const bytes = await this.#folder.read(nameOf(place))
    const firstLine = this.#firstLine(place)
    if (bytes === null || !bytes.subarray(0, firstLine.length).equals(firstLine)) return null
    const end = bytes.indexOf(NEWLINE, firstLine.length)
    const json = bytes.subarray(end + 1)
    return Number(bytes.toString('latin1', firstLine.length, end)) === crc32(json) ? { json } : null
  }

  holds(place: SessionPlace): Promise<boolean> {
    return this.#folder.beginsWith(nameOf(place), this.#firstLine(place))
  }

  write(place: SessionPlace, { json }: Written<DetailParts>): Promise<void> {
    return this.#folder.write(nameOf(place), place.source, [
      this.#firstLine(place),
      toSkeletonLine(crc32(json)),
      json,
    ])
  }

  remove(place: SessionPlace): Promise<void> {
    return this.#folder.remove(nameOf(place))
  }

  #firstLine({ source, ownKey, subagents }: SessionPlace): Buffer {
    return toSkeletonLine([skeletonStamp(source, this.#format), ownKey, source.prices ?? null, subagents])
  }
}

function nameOf({ source, ownKey }: SessionPlace): string {
  const session = createHash('sha256').update(ownKey).digest('hex').slice(0, 16)
  return openedName(source.id, `${session}.detail`)
}
