import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type HomeManifest, startManifest } from '../../../../fixtures/large/home-manifest.ts'

const GENERATE =
  'npx tsx fixtures/generate-home.ts --sessions 1000 --bytes 1000000000 --seed 1 --out FOLDER makes one'

/** What must be found in a home written by generate-home.ts. Throws an error with a sentence for the user. */
export function readManifest(generated: string): HomeManifest {
  const path = join(generated, 'manifest.json')
  if (!existsSync(path)) throw new Error(`There is no ${path}. ${GENERATE}.`)
  const manifest: HomeManifest = JSON.parse(readFileSync(path, 'utf8'))
  const lacking = Object.keys(startManifest(0)).filter((key) => !(key in manifest))
  if (lacking.length === 0) return manifest
  throw new Error(
    `${path} is of an older generator: it lacks ${lacking.join(', ')}, so answers could not be checked. ${GENERATE}.`,
  )
}
