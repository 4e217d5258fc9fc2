import { createInterface } from 'node:readline'
import { openSessionIndex } from '../src/open-session-index.ts'
import { fixtureGroups } from './fixture-groups.ts'

// A separate process with a cache folder: `index-process CACHE HOMES`. Prints its role and follows its input: `index` indexes repeatedly,
// `end` closes the index and ends.
const [directory = null, homes = ''] = process.argv.slice(2)
const say = (line: string) => process.stdout.write(`${line}\n`)
const workerUrl = new URL('./worker.mjs', import.meta.url)
const index = await openSessionIndex({ directory, workerUrl, shards: 2, driver: 'node-sqlite3-wasm' })
say(index.isPrivate ? 'private' : 'owner')
for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'end') break
  const groups = await fixtureGroups(homes)
  while (true) await index.update(groups, (group) => say(`indexed ${group.sessions.length}`))
}
await index.close()
