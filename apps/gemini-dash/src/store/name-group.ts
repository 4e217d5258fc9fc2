import { readFileNameTime, readSessionPath } from 'gemini-sessions'
import type { DiscoveredFile } from 'gemini-sessions/node'

/** Files that may be one session, as far as names tell. */
export interface NameGroup {
  files: DiscoveredFile[]
  /** The earliest time that the names say. */
  startTime: string | null
}

/** A name holds the first characters of the id. */
const ID_LENGTH = 8

/**
 * Files by what their names say of the id, whatever folder they lie in: a session's files can lie in two folders of one
 * project. A file whose name says nothing is a group of its own. Sub-agents in their parent's folder are left out.
 */
export function groupByName(files: readonly DiscoveredFile[]): NameGroup[] {
  const groups = new Map<string, NameGroup>()
  for (const file of files) {
    const { parentId, nameId, stem } = readSessionPath(file.path)
    const isNamed = nameId !== stem
    if (!isNamed && parentId !== null) continue
    const id = isNamed ? nameId.slice(0, ID_LENGTH) : file.absolutePath
    const startTime = readFileNameTime(file.path)
    const group = groups.get(id)
    if (group === undefined) {
      groups.set(id, { files: [file], startTime })
      continue
    }
    group.files.push(file)
    if (startTime !== null && startTime < (group.startTime ?? '~')) group.startTime = startTime
  }
  return [...groups.values()]
}
