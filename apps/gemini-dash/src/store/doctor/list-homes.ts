import { statSync } from 'node:fs'
import type { Doctor } from '@gemini-dash/api'
import type { GeminiHome, Scan } from 'gemini-sessions/node'
import { describeAntigravity } from './describe-antigravity.ts'

/** Where was looked, and why nothing was found there. */
export function listHomes(homes: readonly GeminiHome[], scan: Scan): Doctor['homes'] {
  return homes.map((home) => {
    const files = scan.files.filter((file) => file.home === home.path).length
    return {
      path: home.path,
      exists: home.exists,
      files,
      note: files > 0 ? null : explainNothing(home, scan),
      ...describeAntigravity(home.path),
    }
  })
}

function explainNothing({ path, tmpPath, exists }: GeminiHome, { projects }: Scan): string {
  if (!exists) return 'This folder does not exist. Another one can be named with --home or GEMINI_CLI_HOME.'
  if (!isFolder(tmpPath))
    return `It holds no folder ${tmpPath.slice(path.length + 1)}: the CLI has recorded nothing here.`
  return projects.some(({ home }) => home === path)
    ? 'It has projects, but no session files in them: deleted since, or recorded by a version before 0.4.'
    : 'No project is in it yet.'
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
