import { readFileSync } from 'node:fs'

// npm runs this before publishing: without an owner the package's links would lead nowhere.
const owner = readFileSync(new URL('owner.json', import.meta.url), 'utf8')
if (/"(?:author|repository)": "[^"]*OWNER/.test(owner)) {
  process.stderr.write(
    'Nobody owns this package yet: scripts/package/owner.json still says OWNER. Fill in its author and repository, then publish again.\n',
  )
  process.exitCode = 1
}
