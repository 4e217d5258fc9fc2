import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { GeminiHome, Scan } from 'gemini-sessions/node'

/** Every directory in which a session can appear or grow: `tmp`, each project, its `chats`, and the sub-agents' folders there. */
export async function watchedDirectories(homes: readonly GeminiHome[], scan: Scan): Promise<string[]> {
  const chats = scan.projects.map(({ folder }) => join(folder, 'chats'))
  const nested = await Promise.all(chats.map(subdirectories))
  return [
    ...homes.filter(({ exists }) => exists).flatMap(({ path, tmpPath }) => [path, tmpPath]),
    ...scan.projects.map(({ folder }) => folder),
    ...nested.flat(),
  ]
}

/** The directory and those directly in it; none if it is not there. */
async function subdirectories(directory: string): Promise<string[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true })
    return [
      directory,
      ...entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(directory, name)),
    ]
  } catch {
    return []
  }
}
