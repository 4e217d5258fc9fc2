import { readFileNameTime, readSessionPath } from 'gemini-sessions'
import type { DiscoveredFile } from 'gemini-sessions/node'
import { isUnchanged, type RememberedGroup } from './remembered-list.ts'

/** Files that may be one session, as far as names and an earlier run tell. */
export interface Unopened {
  files: DiscoveredFile[]
  /** The earliest time that the names say. */
  startTime: string | null
  /** The earlier run knew all of these files as they are now. */
  isRemembered: boolean
  /** What it knew of them. */
  remembered: Map<RememberedGroup, DiscoveredFile[]>
  /** What it knew of their sub-agents. */
  subagents: Map<RememberedGroup, DiscoveredFile[]>
}

/** A name holds the first characters of the id. */
const ID_LENGTH = 8

/**
 * Files by what their names say of the id, whatever folder they lie in: a session's files can lie in two folders of one
 * project. A file whose name says nothing is a group of its own unless an earlier run knew better. Sub-agents in their
 * parent's folder are left out.
 */
export function unopenedGroups(
  files: readonly DiscoveredFile[],
  remembered: readonly RememberedGroup[],
): Unopened[] {
  const filesOf = unchangedFiles(files, remembered)
  const groupOf = new Map([...filesOf].flatMap(([group, own]) => own.map((file) => [file, group])))
  const byIdentity = new Map<string | RememberedGroup, Unopened>()
  for (const file of files) {
    const { parentId, nameId, stem } = readSessionPath(file.path)
    const isNamed = nameId !== stem
    if (!isNamed && parentId !== null) continue
    const known = groupOf.get(file)
    const id = isNamed ? nameId.slice(0, ID_LENGTH) : file.absolutePath
    const group = byIdentity.get(id) ?? (known && byIdentity.get(known)) ?? emptyGroup()
    byIdentity.set(id, group)
    group.files.push(file)
    group.startTime = earlier(group.startTime, readFileNameTime(file.path))
    if (known === undefined) {
      group.isRemembered = false
      continue
    }
    byIdentity.set(known, group)
    group.remembered.set(known, filesOf.get(known) ?? [])
    for (const number of known.subagents) {
      const subagent = remembered[number]
      const own = subagent === undefined ? undefined : filesOf.get(subagent)
      if (subagent !== undefined && own !== undefined) group.subagents.set(subagent, own)
    }
  }
  return [...new Set(byIdentity.values())]
}

/** The groups of the earlier run of which every file is as it was. */
function unchangedFiles(
  files: readonly DiscoveredFile[],
  remembered: readonly RememberedGroup[],
): Map<RememberedGroup, DiscoveredFile[]> {
  const fileAt = new Map(files.map((file) => [file.absolutePath, file]))
  const unchanged = new Map<RememberedGroup, DiscoveredFile[]>()
  for (const group of remembered) {
    const own = group.files.flatMap((stamp) => {
      const file = fileAt.get(stamp[0])
      return file !== undefined && isUnchanged(stamp, file) ? [file] : []
    })
    if (own.length > 0 && own.length === group.files.length) unchanged.set(group, own)
  }
  return unchanged
}

function emptyGroup(): Unopened {
  return { files: [], startTime: null, isRemembered: true, remembered: new Map(), subagents: new Map() }
}

function earlier(a: string | null, b: string | null): string | null {
  return a === null || (b !== null && b < a) ? b : a
}
