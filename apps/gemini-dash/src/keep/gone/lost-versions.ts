import {
  type Archive,
  DamagedContent,
  type KeptFile,
  type KeptVersion,
  readVersion,
  UnknownCodec,
} from '@gemini-dash/archive'
import { type GoneList, originalPath } from './gone-list.ts'

/** Each line of a prompt log has its own. */
const TYPED = /"timestamp"\s*:\s*"([^"\\]{1,200})"/g
/** As rows, messages and calls of tools are named, in logs and in documents. */
const NAMED = /"id"\s*:\s*"([^"\\]{1,200})"/g
/** A name may stand where two pieces meet. */
const LONGEST_MATCH = 256

/**
 * Which versions of session files and prompt logs hold something that the next version of the same file lacks: it became smaller, or does not
 * name all that it named. A log only grows, and a document is written anew with all that it held: then nothing was lost.
 * `known`: what was judged before, which stays true; each version is read once in the life of an archive.
 */
export async function judgeVersions(
  archive: Archive,
  known: Readonly<Record<string, boolean>>,
): Promise<Record<string, boolean>> {
  const judged: Record<string, boolean> = {}
  for (const file of archive.manifest.files()) {
    const { kind } = file.label
    if (kind !== 'session' && kind !== 'subagent' && kind !== 'prompts') continue
    const named = kind === 'prompts' ? TYPED : NAMED
    for (const [number, version] of file.versions.slice(0, -1).entries()) {
      const name = versionName(file, number)
      const next = file.versions[number + 1]
      const isJudged =
        known[name] ?? (next === undefined ? false : await isLost(archive, { version, next, named }))
      if (isJudged !== null) judged[name] = isJudged
    }
  }
  return judged
}

/** What of a list the archive holds still. */
export function heldOf(archive: Archive, list: GoneList): GoneList {
  const held = new Map<string, { path: string; sizeBytes: number }>()
  for (const file of archive.manifest.files())
    for (const [number, { sizeBytes }] of file.versions.entries())
      held.set(versionName(file, number), { path: file.path, sizeBytes })
  return {
    ...list,
    entries: list.entries.filter(({ path, version, sizeBytes }) => {
      const found = held.get(version)
      return found?.path === originalPath(path) && found.sizeBytes === sizeBytes
    }),
    damaged: list.damaged.filter(({ path }) => archive.manifest.find(path) !== null),
    judged: Object.fromEntries(Object.entries(list.judged).filter(([name]) => held.has(name))),
  }
}

export function versionName({ id }: KeptFile, number: number): string {
  return `${id}:${number}`
}

interface Compared {
  version: KeptVersion
  next: KeptVersion
  named: RegExp
}

/** null: a newer Node has to say. */
async function isLost(archive: Archive, { version, next, named }: Compared): Promise<boolean | null> {
  if (next.sizeBytes < version.sizeBytes) return true
  try {
    const later = await namesIn(archive, next, named)
    for (const name of await namesIn(archive, version, named)) if (!later.has(name)) return true
    return false
  } catch (error) {
    // Of what cannot be read nothing can be shown; it is named as damaged.
    if (error instanceof DamagedContent) return false
    if (error instanceof UnknownCodec) return null
    throw error
  }
}

async function namesIn(archive: Archive, version: KeptVersion, named: RegExp): Promise<Set<string>> {
  const names = new Set<string>()
  let rest = ''
  for await (const piece of readVersion(archive, version)) {
    const text = rest + Buffer.from(piece).toString('latin1')
    for (const [, name = ''] of text.matchAll(named)) names.add(name)
    rest = text.slice(-LONGEST_MATCH)
  }
  return names
}
