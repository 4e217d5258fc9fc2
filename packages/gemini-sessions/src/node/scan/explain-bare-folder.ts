import type { FolderEntry } from './home-reader.ts'
import type { SkippedEntry } from './skipped-entry.ts'

/** Up to 0.28 a project's folder was named by the SHA-256 of its path. */
const HASH = /^[0-9a-f]{64}$/
/** What the CLI keeps beside `chats/`. */
const PROJECT_CONTENT = new Set([
  'shell_history',
  'tool-outputs',
  'checkpoints',
  'images',
  'plans',
  'tracker',
  'memory',
])

/** For a folder under `tmp/` without anything to read: null unless it is a project's all the same. */
export function explainBareFolder(folder: FolderEntry, content: readonly FolderEntry[]): SkippedEntry | null {
  if (!HASH.test(folder.name) && !content.some(({ name }) => PROJECT_CONTENT.has(name))) return null
  return {
    path: folder.path,
    code: 'left-out',
    reason: 'This folder of a project holds no session, no prompt log and no saved chat.',
    advice: 'Nothing is missing: the CLI recorded nothing there, or has deleted it since.',
    needsAttention: false,
  }
}
