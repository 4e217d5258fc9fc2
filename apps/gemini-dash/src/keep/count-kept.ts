import type { KeepStatus } from '@gemini-dash/api'
import type { Archive, KeptFile } from '@gemini-dash/archive'
import type { GeminiHome } from 'gemini-sessions/node'
import { isMissing } from './keep-home.ts'

export interface KeptCount
  extends Pick<
    KeepStatus,
    'sessions' | 'onlyHere' | 'files' | 'rawBytes' | 'storedBytes' | 'lastRun' | 'damagedFiles'
  > {
  /** Places in the packs where something is damaged, whatever it was. */
  damagedRecords: number
}

const NOTHING: KeptCount = {
  sessions: 0,
  onlyHere: 0,
  files: 0,
  rawBytes: 0,
  storedBytes: 0,
  lastRun: null,
  damagedFiles: [],
  damagedRecords: 0,
}

/** What the archive of a home holds, as the disk says now. */
export function countKept(archive: Archive, home: GeminiHome): KeptCount {
  if (!archive.exists()) return NOTHING
  archive.refresh()
  archive.prove(Date.now())
  const files = [...archive.manifest.files()].filter(({ versions }) => versions.length > 0)
  const logs = files.filter(({ label }) => label.kind === 'session')
  return {
    sessions: new Set(logs.map(sessionOf)).size,
    onlyHere: new Set(logs.filter((file) => isOnlyHere(file, home)).map(sessionOf)).size,
    files: files.length,
    rawBytes: files
      .flatMap(({ versions }) => versions.map(({ sizeBytes }) => sizeBytes))
      .reduce((sum, size) => sum + size, 0),
    storedBytes: archive.storedBytes(),
    lastRun: archive.manifest.lastLooked,
    damagedFiles: archive
      .damagedVersions()
      .map(({ file, version }) => ({ home: home.path, path: file.path, firstSeen: version.firstSeen })),
    damagedRecords: archive.proofs.damagedPlaces().length,
  }
}

/** The files of one project and one id are one session; where the id is not known, a file is one. */
function sessionOf({ path, label }: KeptFile): string {
  const project = path.slice(0, path.indexOf('/chats/'))
  return label.sessionId == null ? path : `${project} ${label.sessionId}`
}

/** It was deleted, or a part of it: a log only grows, and a document that became smaller has lost something. */
function isOnlyHere({ path, versions }: KeptFile, home: GeminiHome): boolean {
  const isLog = path.endsWith('.jsonl')
  const hasLost = versions.some(
    ({ sizeBytes }, place) => (isLog && place > 0) || sizeBytes < (versions[place - 1]?.sizeBytes ?? 0),
  )
  return hasLost || isMissing(`${home.path}/${path}`)
}
