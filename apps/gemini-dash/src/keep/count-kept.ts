import type { KeepStatus } from '@gemini-dash/api'
import { groupBy } from '@gemini-dash/api/group-by'
import type { Archive, KeptFile } from '@gemini-dash/archive'
import type { GeminiHome } from 'gemini-sessions/node'
import { HomeJournal } from '../home-writes/home-journal.ts'
import { isMissing } from './gone/bring-out.ts'
import { isOurs } from './gone/gone-files.ts'
import { GoneFolder } from './gone/gone-list.ts'

export interface KeptCount
  extends Pick<
    KeepStatus,
    'sessions' | 'onlyHere' | 'files' | 'rawBytes' | 'storedBytes' | 'goneBytes' | 'lastRun' | 'damagedFiles'
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
  goneBytes: 0,
  lastRun: null,
  damagedFiles: [],
  damagedRecords: 0,
}

/** What the archive of a home holds, as the disk says now. */
export function countKept(dataFolder: string, archive: Archive, home: GeminiHome): KeptCount {
  if (!archive.exists()) return NOTHING
  archive.refresh()
  archive.prove(Date.now())
  const files = [...archive.manifest.files()].filter(({ versions }) => versions.length > 0)
  const logs = files.filter(({ label }) => label.kind === 'session')
  const there = groupBy(
    logs.filter(({ path }) => !isMissing(`${home.path}/${path}`)),
    sessionOf,
  )
  const takenBack = new HomeJournal(dataFolder).takenBack(home.path)
  const isOnlyHere = (file: KeptFile) =>
    !isOurs(takenBack, file.path, file.versions[0]?.firstSeen) &&
    (hasLost(file) || !(there.get(sessionOf(file)) ?? []).some((other) => holds(other, file)))
  const goneBytes = new GoneFolder(archive.folder)
    .read()
    .entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  return {
    sessions: new Set(logs.map(sessionOf)).size,
    onlyHere: new Set(logs.filter(isOnlyHere).map(sessionOf)).size,
    files: files.length,
    rawBytes: files
      .flatMap(({ versions }) => versions.map(({ sizeBytes }) => sizeBytes))
      .reduce((sum, size) => sum + size, 0),
    storedBytes: archive.storedBytes() + goneBytes,
    goneBytes,
    lastRun: archive.manifest.lastLooked,
    damagedFiles: archive
      .damagedVersions()
      .map(({ file, version }) => ({ home: home.path, path: file.path, firstSeen: version.firstSeen })),
    damagedRecords: archive.proofs.damagedPlaces().length,
  }
}

/** Files of one id are one session, whatever folder they lie in: the CLI copied them when it gave folders names. */
function sessionOf({ path, label }: KeptFile): string {
  return label.sessionId ?? path
}

/** A part of it was lost: a log only grows, and a document that became smaller has lost something. */
function hasLost({ path, versions }: KeptFile): boolean {
  const isLog = path.endsWith('.jsonl')
  return versions.some(
    ({ sizeBytes }, place) => (isLog && place > 0) || sizeBytes < (versions[place - 1]?.sizeBytes ?? 0),
  )
}

/** The file itself, or a copy of it that may have grown since. */
function holds(other: KeptFile, file: KeptFile): boolean {
  const [held, wanted] = [other, file].map(({ versions }) => versions.at(-1)?.recipe)
  if (held === undefined || wanted === undefined) return other === file
  return held.subarray(0, wanted.length).equals(wanted)
}
