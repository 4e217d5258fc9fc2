import type { Doctor } from '@gemini-dash/api'
import { groupBy } from '@gemini-dash/api/group-by'
import { toSessionLink } from '../facts/to-session-link.ts'
import type { CleanedFile } from './cleaned-files.ts'

type AtRisk = Doctor['retention']['atRisk'][number]

/**
 * Conversations that the clean-up deletes at the next start whatever their age: it takes a file for unusable (nothing
 * said in it, damaged, or rewound to nothing) and deletes every file of the folder whose name ends alike. A resume
 * leaves such a file beside a healthy session (0.39 to 0.61).
 */
export function findAtRisk(files: readonly CleanedFile[]): AtRisk[] {
  const found = new Map<string, AtRisk>()
  for (const alike of groupBy(files, ({ folder, suffix }) => `${folder}\n${suffix}`).values()) {
    const unusable = alike.find(isUnusable)
    if (unusable === undefined) continue
    for (const { session, file } of alike) {
      const link = toSessionLink(session)
      const isWorthKeeping = (session.summary.counts?.messages ?? 0) > 0 && file.role !== 'stub'
      if (!isWorthKeeping || found.has(link.sessionKey)) continue
      const path = `${unusable.file.home}/${unusable.file.path}`
      found.set(link.sessionKey, { ...link, path, reason: reasonOf(unusable) })
    }
  }
  return [...found.values()]
}

function isUnusable({ session: { summary }, file }: CleanedFile): boolean {
  if (file.role === 'stub' || file.role === 'damaged') return true
  return summary.buried || summary.kind === 'subagent'
}

function reasonOf({ session: { summary }, file }: CleanedFile): string {
  if (file.role === 'stub')
    return 'A resume left a file without a conversation, and the CLI deletes every file of that id with it.'
  if (file.role === 'damaged')
    return 'A file of it is damaged, and the CLI deletes every file of that id with it.'
  if (summary.buried)
    return 'For the CLI nothing is left of this conversation, so it deletes the file; the log still holds it.'
  return 'A sub-agent’s file lies beside it under the same id, and the CLI deletes both.'
}
