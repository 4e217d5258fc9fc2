import type { SessionFile, SessionSummary } from 'gemini-sessions'
import type { ExaminedSession } from '../facts/examined-session.ts'
import type { RetentionRule } from './retention-rule.ts'

/** A file that the clean-up of the CLI looks at, with the rule that it follows. */
export interface CleanedFile {
  session: ExaminedSession
  file: SessionFile
  rule: RetentionRule
  /** Home and `chats/` folder: each is cleaned by itself. */
  folder: string
  /** The last part of the name: the clean-up deletes all files of a folder that share it. */
  suffix: string
  /** Folder and suffix together. */
  alike: string
  /** When its session was written last; NaN where nothing says so. */
  lastMs: number
}

const SESSION_FILE = /^([^/]+\/([^/]+)\/chats)\/session-.*?([^-]+)\.jsonl?$/
const HASH = /^[0-9a-f]{64}$/

type Place = Pick<CleanedFile, 'file' | 'folder' | 'suffix' | 'alike' | 'lastMs'> & { isOfHash: boolean }

/** What the names of a row's files say: a row that has not changed says the same. */
const places = new WeakMap<SessionSummary, readonly Place[]>()

/** The files directly in a project's `chats/` of homes whose CLI cleans up. Hash folders belong to versions that do so only if told. */
export function cleanedFiles(
  sessions: readonly ExaminedSession[],
  rules: ReadonlyMap<string, RetentionRule>,
): CleanedFile[] {
  const found: CleanedFile[] = []
  for (const session of sessions) {
    for (const { isOfHash, file, folder, suffix, alike, lastMs } of placesOf(session.summary)) {
      const rule = rules.get(file.home)
      if (rule === undefined || (isOfHash && !rule.isExplicit)) continue
      found.push({ session, file, rule, folder, suffix, alike, lastMs })
    }
  }
  return found
}

function placesOf(summary: SessionSummary): readonly Place[] {
  const known = places.get(summary)
  if (known !== undefined) return known
  const lastMs = Date.parse(summary.lastUpdated ?? summary.endTime ?? '')
  const read = summary.files.flatMap((file) => {
    const [, folder, projectFolder, suffix] = SESSION_FILE.exec(file.path) ?? []
    if (folder === undefined || projectFolder === undefined || suffix === undefined) return []
    const whole = `${file.home}/${folder}`
    const isOfHash = HASH.test(projectFolder)
    return [{ file, folder: whole, suffix, alike: `${whole}\n${suffix}`, lastMs, isOfHash }]
  })
  places.set(summary, read)
  return read
}
