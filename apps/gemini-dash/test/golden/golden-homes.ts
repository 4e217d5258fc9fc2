import { cpSync, lutimesSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FIXTURES = fileURLToPath(new URL('../../../../fixtures/', import.meta.url))

/** Files of a checkout have the time of the checkout: all get this one instead. */
const FILE_TIME = new Date('2026-11-20T10:00:00.000Z')

/** Homes by the golden file with their answers. Those of one list are shown by one program, as for a user with several homes. */
export const GOLDEN_HOMES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  demo: [['home']],
  cli: namesIn('homes').map((name) => [name]),
  sessions: [namesIn('sessions').map((name) => `${name}/home`)],
  tokens: [namesIn('tokens').map((name) => `${name}/home`)],
}

/** Copies whose files all have the same time, whenever they are made. */
export function copyHomes(names: readonly string[], folder: string): string[] {
  return names.map((name) => {
    const home = join(folder, 'homes', name)
    cpSync(join(FIXTURES, name), home, { recursive: true, verbatimSymlinks: true })
    for (const entry of ['', ...(readdirSync(home, { recursive: true }) as string[])])
      lutimesSync(join(home, entry), FILE_TIME, FILE_TIME)
    return home
  })
}

function namesIn(folder: string): string[] {
  return readdirSync(join(FIXTURES, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${folder}/${name}`)
    .sort()
}
