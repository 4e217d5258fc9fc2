import { sessionQuerySchema } from '@gemini-dash/api'
import { expect, test } from 'vitest'
import { summaryFixture } from '../../test/record-fixture.ts'
import { SessionLists } from './list.ts'

const fileIn = (home: string) =>
  ({ home, path: 'tmp/a/chats/a.json', sizeBytes: 1, format: 'json', role: 'current' }) as const

test('C21: lists the sessions with a file in a home, by its label or its path, and counts all kinds', async () => {
  const [ada, server] = ['/home/ada/.gemini', '/mnt/server/.gemini']
  const sessions = [
    summaryFixture({ key: 'here', files: [fileIn(ada)] }),
    summaryFixture({ key: 'there', files: [fileIn(server)] }),
    summaryFixture({ key: 'both', files: [fileIn(server), fileIn(ada)] }),
  ]
  const names = new Map<string, string>()
  const lists = new SessionLists({
    sync: {
      rows: { revision: 0, sessions: () => sessions, projects: () => null },
      firstList: { answer: async () => null },
    },
    shown: { summaries: () => sessions, findProjects: () => new Set(), using: () => null },
    homes: [{ path: ada }, { path: server }],
    homeNames: { all: () => new Map(names) },
  })
  const keysOf = async (query: object) => {
    const answer = await lists.answer(sessionQuerySchema.parse({ tz: 'UTC', ...query }))
    expect(answer.kinds).toEqual([{ kind: 'main', sessions: 3 }])
    return answer.sessions.map(({ key }) => key).sort()
  }
  expect(await keysOf({ home: 'ada' })).toEqual(['both', 'here'])
  for (const home of ['server', server, '/mnt/server'])
    expect(await keysOf({ home })).toEqual(['both', 'there'])
  expect(await keysOf({ home: 'nowhere' })).toEqual([])
  names.set(server, 'build machine')
  expect(await keysOf({ home: 'build machine' })).toEqual(['both', 'there'])
  expect(await keysOf({ home: 'server' })).toEqual([])
})
