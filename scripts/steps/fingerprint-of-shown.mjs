import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './workspace.mjs'

/** What the README's screenshots depend on: the sample sessions and the screenshot scripts. Not the page itself, which changes daily. */
const SHOWN = ['fixtures/home', 'e2e/screenshots']

export function fingerprintOfShown() {
  const hash = createHash('sha256')
  for (const folder of SHOWN) {
    const files = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length).replaceAll('\\', '/'))
      .sort()
    for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(root, file)))
  }
  return hash.digest('hex')
}
