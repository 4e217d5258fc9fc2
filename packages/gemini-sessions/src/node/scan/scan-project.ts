import type { TimeSlice } from '../files/time-slice.ts'
import { explainBareFolder } from './explain-bare-folder.ts'
import type { FolderEntry, HomeReader } from './home-reader.ts'
import type { ProjectPlace } from './project-place.ts'
import { readMarker } from './read-marker.ts'
import type { Scan } from './scan.ts'
import { scanChats } from './scan-chats.ts'
import { skipLeftover } from './skip-leftover.ts'

/** `checkpoint-<tag>.json`; `checkpoint.json` from before there were tags. */
const CHECKPOINT = /^checkpoint(-.*)?\.json$/s

/** Adds one folder under `tmp/` to the scan, if it is a project's: `tmp/bin` and the like are not. */
export async function scanProject(
  reader: HomeReader,
  entry: FolderEntry,
  scan: Scan,
  slice: TimeSlice,
): Promise<void> {
  const { name, path: folder, kind } = entry
  if (kind !== 'folder') {
    skipLeftover(reader, entry, 'tmp')
    return
  }
  const entries = reader.list(folder)
  const chats = entries.find((entry) => entry.name === 'chats' && entry.kind === 'folder')
  const files = entries.filter((entry) => entry.kind === 'file')
  const logs = files.find((entry) => entry.name === 'logs.json')
  const checkpoints = [...files, ...inCheckpoints(reader, entries)].filter(({ name }) =>
    CHECKPOINT.test(name),
  )
  const hasMarker = files.some((entry) => entry.name === '.project_root')
  for (const file of files) skipLeftover(reader, file, 'project')
  if (!chats && !logs && checkpoints.length === 0 && !hasMarker) {
    const skipped = explainBareFolder(entry, entries)
    if (skipped) reader.skip(skipped)
    return
  }
  const onFault = (path: string, errno: string) => reader.refuse(path, errno)
  const place: ProjectPlace = {
    home: reader.home.path,
    folder,
    name,
    marker:
      (hasMarker ? readMarker(folder, onFault) : null) ?? readMarker(`${reader.home.path}/history/${name}`),
    logs: logs ? reader.measure(logs.path, folder) : null,
    checkpoints: checkpoints.flatMap((entry) => reader.measure(entry.path, folder) ?? []),
  }
  scan.projects.push(place)
  if (chats) await scanChats(reader, { folder: chats.path, projectFolder: folder, scan, slice })
}

/** The folder of restore points, where some versions saved chats, too. */
function inCheckpoints(reader: HomeReader, entries: readonly FolderEntry[]): FolderEntry[] {
  const folder = entries.find(({ name, kind }) => name === 'checkpoints' && kind === 'folder')
  return folder === undefined ? [] : reader.list(folder.path).filter(({ kind }) => kind === 'file')
}
