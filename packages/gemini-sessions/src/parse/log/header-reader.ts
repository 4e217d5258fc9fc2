import type { RawObject } from '../../raw/raw-object.ts'
import { toIsoTime } from '../row/to-iso-time.ts'
import type { SessionHeader } from './parsed-file.ts'

/** Gathers a file's metadata: the last value of each field, and the first and earliest `startTime`. */
export class HeaderReader {
  readonly header: SessionHeader = {
    sessionId: null,
    projectHash: null,
    firstStartTime: null,
    startTime: null,
    lastUpdated: null,
    kind: null,
    summary: null,
    directories: [],
  }
  #hasMetadata = false

  /** A metadata record, or a whole JSON document, was read. */
  get hasMetadata(): boolean {
    return this.#hasMetadata
  }

  copyFrom(other: HeaderReader): void {
    Object.assign(this.header, other.header)
    this.#hasMetadata = other.#hasMetadata
  }

  readMetadata(fields: RawObject): void {
    if (!this.#hasMetadata) this.header.firstStartTime = toStoredTime(fields.startTime)
    this.#hasMetadata = true
    this.readSet(fields)
  }

  readSet(fields: RawObject): void {
    const { header } = this
    if (typeof fields.sessionId === 'string' && fields.sessionId !== '') header.sessionId = fields.sessionId
    if (typeof fields.projectHash === 'string') header.projectHash = fields.projectHash
    const startTime = toIsoTime(fields.startTime)
    if (startTime && (header.startTime === null || startTime < header.startTime)) header.startTime = startTime
    header.lastUpdated = toIsoTime(fields.lastUpdated) ?? header.lastUpdated
    if (fields.kind === 'main' || fields.kind === 'subagent') header.kind = fields.kind
    if (typeof fields.summary === 'string') header.summary = fields.summary
    if (Array.isArray(fields.directories)) {
      header.directories = fields.directories.filter((path) => typeof path === 'string')
    }
    if (Array.isArray(fields.movedFrom))
      header.movedFrom = fields.movedFrom.filter((hash) => typeof hash === 'string')
  }

  /** A metadata record that was cut off, or lacks its `projectHash`: the CLI ignores it. */
  readIncomplete(fields: RawObject): void {
    this.header.firstStartTime ??= toStoredTime(fields.startTime)
    this.readSet(fields)
  }
}

/** A time exactly as the file has it, for the session's key (contract rule 9); null for what is no time. */
function toStoredTime(value: unknown): string | null {
  return typeof value === 'string' && toIsoTime(value) !== null ? value : null
}
