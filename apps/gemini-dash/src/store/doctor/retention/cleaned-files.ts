import type { SessionFile } from 'gemini-sessions'
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
}

const SESSION_FILE = /^([^/]+\/([^/]+)\/chats)\/session-.*?([^-]+)\.jsonl?$/
const HASH = /^[0-9a-f]{64}$/

/** The files directly in a project's `chats/` of homes whose CLI cleans up. Hash folders belong to versions that do so only if told. */
export function cleanedFiles(
  sessions: readonly ExaminedSession[],
  rules: ReadonlyMap<string, RetentionRule>,
): CleanedFile[] {
  return sessions.flatMap((session) =>
    session.summary.files.flatMap((file) => {
      const rule = rules.get(file.home)
      const [, folder, projectFolder, suffix] = SESSION_FILE.exec(file.path) ?? []
      if (rule === undefined || folder === undefined || projectFolder === undefined || suffix === undefined) {
        return []
      }
      if (HASH.test(projectFolder) && !rule.isExplicit) return []
      return [{ session, file, rule, folder: `${file.home}/${folder}`, suffix }]
    }),
  )
}
