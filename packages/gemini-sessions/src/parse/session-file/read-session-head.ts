import { isRawObject } from '../../raw/raw-object.ts'
import { completeJson } from '../json/complete-json.ts'
import { decodeFile } from '../json/file-encoding.ts'
import { plainText } from '../lift/parts/plain-text.ts'
import { splitPrompt } from '../lift/prompt/split-prompt.ts'
import { toOrigin } from '../lift/prompt/to-origin.ts'
import { HeaderReader } from '../log/header-reader.ts'
import { toLogRecord } from '../log/log-record.ts'
import type { SessionHeader } from '../log/parsed-file.ts'
import { ReplayLog } from '../replay/replay-log.ts'
import { createEntry, type LogEntry } from '../row/log-entry.ts'

/** The metadata that stand in the first bytes of a session file; null for what those bytes do not hold. Times are ISO 8601 UTC. */
export type SessionHead = Pick<
  SessionHeader,
  'sessionId' | 'projectHash' | 'firstStartTime' | 'startTime' | 'lastUpdated' | 'kind' | 'movedFrom'
> & {
  /** The first text that a person typed, as far as the bytes hold it. */
  firstPrompt: string | null
}

/** What the first bytes of a session file (4 to 16 KB, cut anywhere) tell; null for what they don't hold. */
export function readSessionHead(bytes: Uint8Array): SessionHead {
  const text = decodeFile(bytes).replaceAll('\0', '').trim()
  const isDocument = /^[{[]\s*\n/.test(text)
  const { header, entries } = isDocument ? readDocumentHead(text) : readLogOrCompact(text)
  return headOf(header, header.kind === 'subagent' ? null : findFirstPrompt(entries))
}

/** The part of the metadata that stands in a head. */
export function headOf(header: SessionHeader, firstPrompt: string | null): SessionHead {
  const { sessionId, projectHash, firstStartTime, startTime, lastUpdated, kind, movedFrom } = header
  const known = { sessionId, projectHash, firstStartTime, startTime, lastUpdated, kind, firstPrompt }
  return movedFrom === undefined ? known : { ...known, movedFrom }
}

/** A document that another tool wrote may begin as a log does; its first line is no record then. */
function readLogOrCompact(text: string): { header: SessionHeader; entries: LogEntry[] } {
  const log = readLogHead(text)
  if (log.header.sessionId !== null) return log
  const document = readDocumentHead(text)
  return document.header.sessionId === null ? log : document
}

function readDocumentHead(text: string): { header: SessionHeader; entries: LogEntry[] } {
  const reader = new HeaderReader()
  const document = completeJson(text)
  if (!isRawObject(document)) return { header: reader.header, entries: [] }
  reader.readMetadata(document)
  const rows = Array.isArray(document.messages) ? document.messages : []
  return { header: reader.header, entries: rows.map((row, index) => createEntry(row, false, { index })) }
}

function readLogHead(text: string): { header: SessionHeader; entries: LogEntry[] } {
  const log = new ReplayLog()
  const lines = text.split('\n')
  lines.forEach((line, index) => {
    const row = index === lines.length - 1 ? completeJson(line) : parseLine(line)
    if (!isRawObject(row)) return
    log.apply(toLogRecord(row, index + 1, true))
  })
  return { header: log.header.header, entries: [...log.live, ...log.entries] }
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function findFirstPrompt(entries: readonly LogEntry[]): string | null {
  for (const { type, content, displayContent } of entries) {
    if (toOrigin(type, content) !== 'human') continue
    const text = plainText(splitPrompt(content, displayContent).said).trim()
    if (text !== '') return text
  }
  return null
}
