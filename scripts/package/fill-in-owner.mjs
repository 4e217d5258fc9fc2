import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../steps/workspace.mjs'
import { ownedFields, ownedReadme } from './packed-files.mjs'

// node scripts/package/fill-in-owner.mjs: writes the owner and repository from owner.json into both packages.
const owner = JSON.parse(readFileSync(new URL('owner.json', import.meta.url), 'utf8'))
for (const directory of ['apps/gemini-dash', 'packages/gemini-sessions']) {
  change(join(root, directory, 'package.json'), (text) => {
    const manifest = { ...JSON.parse(text), ...ownedFields(owner, directory) }
    return `${JSON.stringify(manifest, null, 2)}\n`
  })
}
change(join(root, 'apps/gemini-dash/README.md'), (text) => ownedReadme(text, owner.repository))

function change(path, makeNew) {
  writeFileSync(path, makeNew(readFileSync(path, 'utf8')))
}
