import { isRawObject, type RawObject } from '../../raw/raw-object.ts'

/** One line of a log, by kind. */
export type LogRecord = {
  /** 1-based. */
  line: number
  /** false where the CLI's own loader cannot read the line, but we can. */
  isReadByCli: boolean
} & (
  | { kind: 'rewind'; toId: string }
  | { kind: 'patch'; patch: RawObject }
  | { kind: 'message'; row: RawObject }
  | { kind: 'set'; fields: RawObject }
  | { kind: 'metadata'; fields: RawObject }
  | { kind: 'unknown'; row: RawObject }
)

/** The tests in the order of the CLI's loader (0.39 to 0.61); `$patch` is of versions after 0.61. */
export function toLogRecord(row: RawObject, line: number, isReadByCli: boolean): LogRecord {
  if (typeof row.$rewindTo === 'string') return { line, isReadByCli, kind: 'rewind', toId: row.$rewindTo }
  if (isRawObject(row.$patch)) return { line, isReadByCli, kind: 'patch', patch: row.$patch }
  if (typeof row.id === 'string') return { line, isReadByCli, kind: 'message', row }
  if (typeof row.$set === 'object' && row.$set !== null) {
    return { line, isReadByCli, kind: 'set', fields: isRawObject(row.$set) ? row.$set : {} }
  }
  if (typeof row.sessionId === 'string' && typeof row.projectHash === 'string') {
    return { line, isReadByCli, kind: 'metadata', fields: row }
  }
  return { line, isReadByCli, kind: 'unknown', row }
}
