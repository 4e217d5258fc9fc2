import type { DiscoveredFile } from './discovered-file.ts'
import type { ProjectPlace } from './project-place.ts'
import type { SkippedEntry } from './skipped-entry.ts'

/** What lies on disk, by names and stat alone. */
export interface Scan {
  projects: ProjectPlace[]
  /** Everything under `chats/` that looks like a session. */
  files: DiscoveredFile[]
  skipped: SkippedEntry[]
  /** Folders of projects (`GeminiHome.tmpPath`) that are not there at all. */
  missing?: string[]
}
