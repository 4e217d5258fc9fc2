import { foldTextOnly } from '@gemini-dash/api/fold-text'
import fc from 'fast-check'
import type { Session } from 'gemini-sessions'
import { describe, expect, it } from 'vitest'
import { arbitrarySessions } from '../test/arbitrary-session.ts'
import { arbitraryFilters, arbitraryTree } from '../test/arbitrary-tree.ts'
import { makeGroup, makeShard } from '../test/make-shard.ts'
import { naiveTreeSearch } from '../test/naive-tree.ts'
import { searchRequest } from '../test/search-request.ts'
import type { IndexSearchRequest } from './contract.ts'
import type { IndexTree } from './query/tree.ts'
import type { Shard } from './shard/shard.ts'

async function grownShard(sessions: Session[]): Promise<Shard> {
  const onDisk = new Map(sessions.map((one) => [one.key, [{ ...one, messages: one.messages.slice(0, 1) }]]))
  const shard = makeShard(onDisk)
  for (const key of onDisk.keys()) await shard.index(makeGroup(key, 'before'))
  await shard.remove(['s1'])
  for (const one of sessions) {
    onDisk.set(one.key, [one])
    await shard.index(makeGroup(one.key, 'after'))
  }
  return shard
}

async function hitsOf(shard: Shard, request: IndexSearchRequest) {
  const found = await shard.find(request)
  const hits = await shard.describe(request, found.best)
  return { found, hits, lines: hits.map((hit) => `${hit.sessionKey} ${hit.messageKey} ${hit.field}`).sort() }
}

describe('a query', () => {
  it('of words finds exactly what asking every row does', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitrarySessions,
        fc.array(arbitraryTree, { minLength: 5 }),
        async (sessions, trees) => {
          const shard = await grownShard(sessions)
          for (const tree of trees) {
            const { found, hits, lines } = await hitsOf(shard, searchRequest('', { tree, limit: 1_000 }))
            expect(lines).toEqual(naiveTreeSearch(sessions, tree))
            expect(found.total).toBe(lines.length)
            for (const hit of hits) expect(hit.superseded).toBe(isSuperseded(sessions, hit))
          }
          shard.close()
        },
      ),
      { numRuns: 100 },
    )
  })

  it.each(['substring', 'regex'] as const)('by %s finds exactly what asking every row does', async (mode) => {
    const pattern = fc.constantFrom('et', 'é', '文', 'foo.bar', 'C+', ' ', 'B', 'ts')
    const filters = fc.option(arbitraryFilters)
    await fc.assert(
      fc.asyncProperty(arbitrarySessions, pattern, filters, async (sessions, text, tree) => {
        const shard = await grownShard(sessions)
        const request = { ...searchRequest(text, { mode, limit: 1_000 }), tree }
        const isIn =
          mode === 'regex'
            ? regexTest(text)
            : (said: string) => foldTextOnly(said).includes(foldTextOnly(text))
        const { lines } = await hitsOf(shard, request)
        expect(lines).toEqual(
          text === ' ' ? filterHits(sessions, tree) : naiveTreeSearch(sessions, tree ?? EVERYTHING, isIn),
        )
        shard.close()
      }),
      { numRuns: 60 },
    )
  })
})

const EVERYTHING: IndexTree = { kind: 'and', of: [] }

/** A blank pattern has no condition on the text. */
function filterHits(sessions: Session[], tree: IndexTree | null): string[] {
  return tree === null ? [] : naiveTreeSearch(sessions, tree)
}

function regexTest(pattern: string): (text: string) => boolean {
  return (text) => new RegExp(pattern, 'im').test(text)
}

function isSuperseded(
  sessions: Session[],
  { sessionKey, messageKey }: { sessionKey: string; messageKey: string | null },
): boolean {
  const session = sessions.find(({ key }) => key === sessionKey)
  const message = session?.messages.find(({ key }) => key === messageKey)
  return message !== undefined && message.superseded !== null
}
