import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { GeminiHome, Scan } from 'gemini-sessions/node'

/** Every directory in which a session can appear or grow: `tmp`, each project, its `chats`, and the sub-agents' folders there. */
export async function watchedDirectories(homes: readonly GeminiHome[], scan: Scan): Promise<string[]> {
  const chats = scan.projects.map(({ folder }) => join(folder, 'chats'))
  const nested = await Promise.all(chats.map(subdirectories))
  return [...homes.flatMap(placesOfHome), ...scan.projects.map(({ folder }) => folder), ...nested.flat()]
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

/** Where a home that is not there yet will appear is watched as well: the first session of all comes by itself. */
function placesOfHome({ path, tmpPath }: GeminiHome): string[] {
  const places = [path, tmpPath].filter((place) => existsSync(place))
  return places.length > 0 ? places : [dirname(path)].filter((parent) => existsSync(parent))
}
