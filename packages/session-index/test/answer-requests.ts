import { text } from 'node:stream/consumers'
import type { IndexSearchRequest } from '../src/contract.ts'
import { MEMORY, openDatabase } from '../src/driver.ts'
import { openSessionIndex } from '../src/open-session-index.ts'
import { fixtureGroups } from './fixture-groups.ts'

/** The input of the process. */
export interface Asked {
  directory: string
  homes: string
  /** Groups to index again, by the end of their id; '' is all of them. */
  indexed: string | null
  requests: IndexSearchRequest[]
  words: string[]
}

export type Answered = Awaited<ReturnType<typeof answer>>

// A separate process with a cache folder: opens the index with this Node's default driver, makes the requested changes, answers the
// requests, and ends.
const asked: Asked = JSON.parse(await text(process.stdin))
process.stdout.write(JSON.stringify(await answer(asked)))

async function answer({ directory, homes, indexed, requests, words }: Asked) {
  const workerUrl = new URL('./worker.mjs', import.meta.url)
  const index = await openSessionIndex({ directory, workerUrl, shards: 2, driver: 'auto' })
  const known = index.fingerprints().size
  if (indexed !== null) {
    const groups = (await fixtureGroups(homes)).filter(({ id }) => id.endsWith(indexed))
    await index.remove(groups.map(({ id }) => id))
    await index.update(groups, () => {})
  }
  const results = []
  for (const request of requests) results.push(await index.search(request))
  const closest = [...(await index.closestWords(words))]
  const loaded = (await index.load()).groups.sort((a, b) => (a.id < b.id ? -1 : 1))
  const problem = index.problem()
  await index.close()
  return { driver: driverHere(), known, results, closest, loaded, problem }
}

function driverHere() {
  const database = openDatabase(MEMORY)
  database.close()
  return database.driver
}
