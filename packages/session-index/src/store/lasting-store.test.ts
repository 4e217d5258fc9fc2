import { expect, test } from 'vitest'
import { closestWords } from '../find/close-words.ts'
import { LastingStore } from './shard-store.ts'

test('whoever gives way is answered, however often the store begins anew meanwhile', async () => {
  const lasting = new LastingStore({
    path: null,
    folderId: 'folder',
    driver: 'node-sqlite3-wasm',
    onProblem: () => {},
    onLost: () => {},
  })
  let clearings = 3
  const asked = await lasting.read(async ({ database }) => {
    await Promise.resolve()
    if (clearings > 0) {
      clearings -= 1
      lasting.beginAnew()
    }
    return closestWords(database, 'needle')
  })
  expect([clearings, asked]).toEqual([0, []])
  await lasting.close()
})
