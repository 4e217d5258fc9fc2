import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readSessions } from './list-sessions.ts'
import { findHomes } from './scan/find-homes.ts'
import { readMessages, readSessionGroup } from './session-file.ts'
import { surveyHomes } from './survey.ts'

const DEMO_HOME = fileURLToPath(new URL('../../../../fixtures/home', import.meta.url))

async function groupsOfDemo() {
  const homes = findHomes({ homeArguments: [DEMO_HOME], env: {}, userHome: '/' })
  return (await surveyHomes(homes)).groups
}

test('D8: messages come one by one, and are those of a whole reading', async () => {
  for (const { files } of await groupsOfDemo()) {
    const expected = (await readSessionGroup(files)).flatMap(({ key, messages }) =>
      messages.map((message) => ({ sessionKey: key, message })),
    )
    const read: unknown[] = []
    for await (const each of readMessages(files)) read.push(each)
    expect(read).toEqual(expected)
  }
})

test('D8: whoever does not wait any more says so by a signal, and hears it as the reason', async () => {
  const ending = new AbortController()
  const read: string[] = []
  const reading = (async () => {
    for await (const { session } of readSessions({ homes: [DEMO_HOME], signal: ending.signal })) {
      read.push(session.key)
      ending.abort(new Error('enough'))
    }
  })()
  await expect(reading).rejects.toThrow('enough')
  expect(read).toHaveLength(1)
  const files = (await groupsOfDemo())[0]?.files ?? []
  await expect(readMessages(files, { signal: ending.signal }).next()).rejects.toThrow('enough')
})

test('D8: a home that is not there is an error with a code', async () => {
  await expect(readSessions({ homes: ['/no/such/home'] }).next()).rejects.toMatchObject({
    name: 'SessionsError',
    code: 'no-home',
    message: expect.stringContaining('/no/such/home'),
  })
})
