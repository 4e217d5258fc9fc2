import { randomBytes } from 'node:crypto'
import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ProjectPlace } from 'gemini-sessions/node'
import type { RecoverySource } from '../store/recovering.ts'
import type { Moved } from './moved-log.ts'
import type { Layout } from './recovered-log.ts'

/** Where Gemini CLI looks for the sessions of a project, and in which form it writes them there. */
export interface Target {
  home: string
  /** Name of the project's folder. */
  folder: string
  layout: Layout
  /** Where it is another project's than that of the session. */
  moved: Moved | null
}

const HASH = /^[0-9a-f]{64}$/

/** In the home that the session was in; null: the CLI has no folder for its project there. */
export function findTarget(source: RecoverySource): Target | null {
  return chooseTarget(source, source.places)
}

/** The first of these folders in which the CLI would look, in a home of the session. */
export function chooseTarget(
  { summary, homeFiles }: RecoverySource,
  places: readonly ProjectPlace[],
): Target | null {
  const homes = summary.files.toSorted((a, b) => rankOf(a.role) - rankOf(b.role)).map(({ home }) => home)
  for (const home of new Set(homes)) {
    const own = places.filter((place) => place.home === home && isUsed(place))
    // Since 0.29 it looks into the one with a name, if there is one.
    const place = own.find(({ name }) => !HASH.test(name)) ?? own[0]
    if (place === undefined) continue
    const ofHome = homeFiles.filter((file) => file.home === home)
    const there = ofHome.filter(({ kept }) => kept === undefined)
    const isLogs = (there.length > 0 ? there : ofHome).some(({ path }) => path.endsWith('.jsonl'))
    return { home, folder: place.name, layout: isLogs ? 'jsonl' : 'json', moved: null }
  }
  return null
}

function rankOf(role: string): number {
  return role === 'current' ? 0 : 1
}

/** A folder with a name counts by its marker: without it the CLI would make another one. */
function isUsed({ folder, name }: ProjectPlace): boolean {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return false
  return HASH.test(name) || existsSync(join(folder, '.project_root'))
}

/**
 * A name that no clean-up takes by mistake: it deletes all files that end alike, and a resume leaves an unusable one that ends as the
 * session's id begins.
 */
export function newLogName({ home, folder, layout }: Target, sessionId: string, nowMs: number): string {
  const chats = join(home, 'tmp', folder, 'chats')
  const taken = existsSync(chats) ? readdirSync(chats).join('\n') : ''
  let suffix = ''
  do suffix = randomBytes(4).toString('hex')
  while (taken.includes(`-${suffix}.`) || sessionId.startsWith(suffix))
  const minute = new Date(nowMs).toISOString().slice(0, 16).replace(':', '-')
  return `session-${minute}-${suffix}.${layout}`
}
