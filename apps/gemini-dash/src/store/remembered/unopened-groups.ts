import { readFileNameTime, readSessionPath } from 'gemini-sessions'
import type { DiscoveredFile } from 'gemini-sessions/node'
import type { RememberedGroup, UnchangedFiles } from './remembered-list.ts'

/** Files that may be one session, as far as names and an earlier run tell. */
export interface Unopened {
  files: DiscoveredFile[]
  /** The earliest time that the names say; null also where the earlier run knows better. */
  startTime: string | null
  /** What the earlier run knew of them; empty as soon as one of these files is new or has changed. */
  remembered: RememberedGroup[]
}

/** A name holds the first characters of the id. */
const ID_LENGTH = 8

/**
 * What an earlier run knew stays together as it was. The other files go by what their names say of the id, whatever
 * folder they lie in: a session's files can lie in two folders of one project. A file whose name says nothing is a group
 * of its own. Sub-agents in their parent's folder are left out.
 */
export function unopenedGroups(files: readonly DiscoveredFile[], unchanged: UnchangedFiles): Unopened[] {
  const known = [...unchanged].map(([group, own]) => ({ files: own, startTime: null, remembered: [group] }))
  const isKnown = new Set([...unchanged.values()].flat())
  const byId = new Map<string, Unopened>()
  for (const file of files) {
    const id = isKnown.has(file) ? null : identityOf(file)
    if (id === null) continue
    const group = byId.get(id) ?? { files: [], startTime: null, remembered: [] }
    byId.set(id, group)
    add(group, file)
  }
  if (byId.size === 0) return known
  const untouched = known.filter((group) => {
    const joined = group.files.flatMap((file) => byId.get(identityOf(file) ?? '') ?? [])[0]
    if (joined === undefined) return true
    for (const file of group.files) add(joined, file)
    return false
  })
  return [...untouched, ...byId.values()]
}

function add(group: Unopened, file: DiscoveredFile): void {
  group.files.push(file)
  const startTime = readFileNameTime(file.path)
  if (group.startTime === null || (startTime !== null && startTime < group.startTime))
    group.startTime = startTime
}

/** null: a sub-agent's file in the folder of its parent. */
function identityOf({ path, absolutePath }: DiscoveredFile): string | null {
  const { parentId, nameId, stem } = readSessionPath(path)
  if (nameId !== stem) return nameId.slice(0, ID_LENGTH)
  return parentId === null ? absolutePath : null
}
