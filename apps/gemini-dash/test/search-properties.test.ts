import { questionPath, type SearchQuery, type SearchResult, searchResultSchema } from '@gemini-dash/api'
import type { IndexTree } from '@gemini-dash/session-index'
import fc from 'fast-check'
import type { Session, SessionSummary } from 'gemini-sessions'
import { readSessions } from 'gemini-sessions/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { naiveWords } from '../../../packages/session-index/test/naive-search.ts'
import {
  failuresOf,
  type NaiveRow,
  naiveTreeHits,
  naiveTreeSearch,
} from '../../../packages/session-index/test/naive-tree.ts'
import { fixtureHome, openTestServer, type TestServer } from './open-test-server.ts'

let server: TestServer
const sessions: Session[] = []
let rows: SessionSummary[] = []

beforeAll(async () => {
  const home = fixtureHome('../home')
  server = await openTestServer({ home })
  rows = (await server.store.sessions({ kind: 'all', sort: 'recent', limit: 1000 })).sessions
  for await (const { session } of readSessions({ homes: [home] })) sessions.push(session)
})
afterAll(() => server.close())

async function search(query: Partial<Record<keyof SearchQuery, string | number>>): Promise<SearchResult> {
  const path = questionPath('search', { q: '', limit: 1000, tz: 'UTC', ...query })
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers: { cookie: server.cookie } })
  expect(answer.status).toBe(200)
  return searchResultSchema.parse(await answer.json())
}

/** One condition: its syntax, the parameter that can replace it beside the query, and its meaning. */
interface Condition {
  written: string
  parameter?: [name: keyof SearchQuery, value: string]
  tree: () => IndexTree
}

const keysWhere = (holds: (row: SessionSummary) => boolean) => rows.filter(holds).map(({ key }) => key)
const ofSessions = (holds: (row: SessionSummary) => boolean): IndexTree => ({
  kind: 'sessions',
  keys: keysWhere(holds),
})
const usesModel = (pattern: RegExp) => () =>
  ofSessions(({ models }) => models?.some(({ name }) => pattern.test(name)) === true)
const ofProject = (name: string) => () => ofSessions(({ project }) => project.name === name)
const tools =
  (...names: string[]) =>
  (): IndexTree => ({ kind: 'tools', names })
const day = (date: string) => Date.parse(`${date}T00:00:00Z`)

const CONDITIONS: Condition[] = [
  { written: 'model:2.5-pro', parameter: ['model', '2.5-pro'], tree: usesModel(/2\.5-pro/) },
  { written: 'model:*-PRO*', tree: usesModel(/-pro/) },
  { written: 'model:*pro', parameter: ['model', '*pro'], tree: usesModel(/pro$/) },
  { written: 'model:flash*', tree: usesModel(/^flash/) },
  { written: 'tool:Shell', parameter: ['tool', 'Shell'], tree: tools('run_shell_command') },
  { written: 'tool:"Read file"', parameter: ['tool', 'read_file'], tree: tools('read_file') },
  { written: 'tool:*file', tree: tools('read_file', 'write_file') },
  { written: 'project:webshop', parameter: ['project', 'webshop'], tree: ofProject('webshop') },
  { written: 'project:web*p', tree: ofProject('webshop') },
  {
    written: 'is:superseded',
    parameter: ['is', 'superseded'],
    tree: () => ({ kind: 'is', what: 'superseded' }),
  },
  { written: 'is:subagent', tree: () => ofSessions(({ kind }) => kind === 'subagent') },
  {
    written: 'status:error',
    parameter: ['status', 'error'],
    tree: () => ({ kind: 'status', status: 'error' }),
  },
  { written: 'has:diff', tree: () => ({ kind: 'has', what: 'diff' }) },
  { written: 'has:thoughts', tree: () => ({ kind: 'has', what: 'thoughts' }) },
  {
    written: 'in:tool-output,answer',
    parameter: ['in', 'tool-output,answer'],
    tree: () => ({ kind: 'in', fields: ['tool-output', 'answer'] }),
  },
  { written: 'in:prompt', parameter: ['in', 'prompt'], tree: () => ({ kind: 'in', fields: ['prompt'] }) },
  { written: 'tokens:>10k', tree: () => ({ kind: 'tokens', compare: '>', value: 10_000 }) },
  { written: 'cost:<=0.01', tree: () => ({ kind: 'cost', compare: '<=', value: 0.01 }) },
]

const bound = (kind: 'before' | 'after', name: 'from' | 'to'): fc.Arbitrary<Condition> =>
  fc.integer({ min: 0, max: 100 }).map((share) => {
    const times = rows.flatMap(({ startTime }) => (startTime === null ? [] : [Date.parse(startTime)]))
    const [first, last] = [Math.min(...times), Math.max(...times)]
    const date = new Date(first + ((last - first) * share) / 100).toISOString().slice(0, 'YYYY-MM-DD'.length)
    return {
      written: `${kind}:${date}`,
      parameter: [name, date] as Condition['parameter'] & {},
      tree: () => ({ kind, timeMs: day(date) }),
    }
  })

const condition = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...CONDITIONS) },
  bound('before', 'to'),
  bound('after', 'from'),
)
const negated = fc.tuple(condition, fc.boolean()).map(([of, isNegated]): Condition => {
  if (!isNegated) return of
  return { written: `-${of.written}`, tree: () => ({ kind: 'not', of: of.tree() }) }
})
const word = fc.constantFrom('price', 'round', 'cart', 'error', 'the', 'npm', 'test', 'src')

const asked = fc
  .record({
    words: fc.array(word, { maxLength: 2 }),
    written: fc.array(negated, { maxLength: 2 }),
    beside: fc.uniqueArray(condition, {
      maxLength: 2,
      selector: ({ parameter }) => parameter?.[0] ?? 'none',
    }),
    either: fc.option(fc.tuple(condition, word)),
    mode: fc.constantFrom('words', 'words', 'substring', 'regex'),
    sort: fc.constantFrom('recent', 'relevance'),
  })
  .map(({ words, written, beside, either, mode, sort }) => {
    const parameters = beside.filter(({ parameter }) => parameter !== undefined)
    const isWords = mode === 'words'
    const said = isWords ? words : words.slice(0, 1)
    const either_ = isWords ? either : null
    const filters = [...written, ...parameters]
    const parts = [
      ...said,
      ...written.map((of) => of.written),
      ...(either_ === null ? [] : [`(${either_[0].written} OR ${either_[1]})`]),
    ]
    const text = (saidWord: string): IndexTree => ({
      kind: 'text',
      words: naiveWords(saidWord),
      isPrefix: false,
    })
    const tree = (): IndexTree => ({
      kind: 'and',
      of: [
        ...(isWords ? said.map(text) : []),
        ...filters.map((of) => of.tree()),
        ...(either_ === null ? [] : [{ kind: 'or', of: [either_[0].tree(), text(either_[1])] } as IndexTree]),
      ],
    })
    const [pattern] = said
    return {
      query: {
        q: parts.join(' '),
        mode,
        sort,
        ...Object.fromEntries(parameters.flatMap(({ parameter }) => (parameter ? [parameter] : []))),
      },
      tree,
      pattern:
        isWords || pattern === undefined
          ? null
          : (saidText: string) => saidText.toLowerCase().includes(pattern),
    }
  })
  .filter(({ query }) => query.q !== '')

const rowOf = ({ session }: NaiveRow) => rows.find(({ key }) => key === session.key)
const namesOfModels = (row: NaiveRow) => rowOf(row)?.models?.map(({ name }) => name) ?? []
const statesOf = (row: NaiveRow) => [
  ...(row.message !== null && failuresOf(row.session).has(row.message.key) ? ['error'] : []),
  ...(row.message !== null && row.message.superseded !== null ? ['superseded'] : []),
  ...(rowOf(row)?.kind === 'subagent' ? ['subagent'] : []),
]

/** The filter that corresponds to each facet, and a hit's values of it. */
const FACETS: Record<
  keyof SearchResult['facets'],
  { parameter: keyof SearchQuery; valuesOf: (row: NaiveRow, field: string) => string[] }
> = {
  project: { parameter: 'project', valuesOf: (row) => [rowOf(row)?.project.key ?? ''] },
  field: { parameter: 'in', valuesOf: (_, field) => [field] },
  model: { parameter: 'model', valuesOf: namesOfModels },
  tool: { parameter: 'tool', valuesOf: ({ message }) => message?.toolCalls.map(({ name }) => name) ?? [] },
  status: {
    parameter: 'status',
    valuesOf: ({ message }) => message?.toolCalls.map(({ status }) => status) ?? [],
  },
  is: { parameter: 'is', valuesOf: statesOf },
  // A single program recorded all, so there is nothing to choose.
  source: { parameter: 'source', valuesOf: () => [] },
  day: {
    parameter: 'from',
    valuesOf: ({ timeMs }) => [new Date(timeMs).toISOString().slice(0, 'YYYY-MM-DD'.length)],
  },
}

const line = ({ sessionKey, messageKey, field }: SearchResult['hits'][number]) =>
  `${sessionKey} ${messageKey} ${field}`

describe('the search of the server, beside a scan of every message', () => {
  test('R47: finds the same hits, messages and sessions, whatever is asked', async () => {
    await fc.assert(
      fc.asyncProperty(asked, async ({ query, tree, pattern }) => {
        const found = await search(query)
        const wanted = naiveTreeSearch(sessions, tree(), pattern)
        if (wanted.length <= 1000) expect(found.hits.map(line).sort()).toEqual(wanted)
        expect(found.total).toBe(wanted.length)
        const messages = wanted.map((hit) => hit.split(' ').slice(0, 2).join(' '))
        // A title is not a message.
        expect(found.messageTotal).toBe(new Set(messages.filter((key) => !key.endsWith(' null'))).size)
        expect(found.sessionTotal).toBe(new Set(wanted.map((hit) => hit.split(' ')[0])).size)
      }),
      { numRuns: 60 },
    )
  }, 180_000)

  test('R47: narrows by each parameter as by the same filter in the query', async () => {
    const bounds = [bound('before', 'to'), bound('after', 'from')].flatMap((each) =>
      fc.sample(each, { numRuns: 1, seed: 11 }),
    )
    for (const { written, parameter } of [...CONDITIONS, ...bounds]) {
      if (parameter === undefined) continue
      const [name, value] = parameter
      const [beside, inside, whole] = await Promise.all(
        [{ q: 'the', [name]: value }, { q: `the ${written}` }, { q: 'the' }].map((query) =>
          search({ ...query, limit: 25 }),
        ),
      )
      expect([written, beside?.hits.map(line)]).toEqual([written, inside?.hits.map(line)])
      expect([written, beside?.total]).toEqual([written, inside?.total])
      expect([written, (beside?.total ?? 0) < (whole?.total ?? 0)]).toEqual([written, true])
    }
  }, 180_000)

  test('gives every hit once and in order to whoever walks its pages, one at a time, too', async () => {
    await fc.assert(
      fc.asyncProperty(asked, fc.integer({ min: 1, max: 4 }), async ({ query }, limit) => {
        const whole = await search({ ...query, limit: 25 })
        const walked: string[] = []
        let cursor: string | null = ''
        while (cursor !== null && walked.length < 25) {
          const page: SearchResult = await search({ ...query, limit, ...(cursor === '' ? {} : { cursor }) })
          expect(page.total).toBe(whole.total)
          walked.push(...page.hits.map(line))
          cursor = page.nextCursor
          expect(cursor === null).toBe(walked.length >= whole.total)
        }
        expect(walked.slice(0, 25)).toEqual(whole.hits.map(line))
        if (query.sort !== 'recent') return
        const times = whole.hits.flatMap(({ timestamp }) => timestamp ?? [])
        expect(times).toEqual([...times].sort().reverse())
      }),
      { numRuns: 12 },
    )
  }, 180_000)

  test('counts what each facet could be narrowed to without the filter on that very thing', async () => {
    const besides = fc
      .uniqueArray(fc.oneof(fc.constantFrom(...CONDITIONS), bound('after', 'from')), {
        maxLength: 3,
        selector: ({ parameter }) => parameter?.[0] ?? 'none',
      })
      .map((chosen) => chosen.filter(({ parameter }) => parameter !== undefined))
    // Each filter alone: its facet must be counted without it, which gives different numbers.
    const named = new Map(CONDITIONS.map((each) => [each.parameter?.[0], each]))
    const alone = [...named.values()].filter(({ parameter }) => parameter !== undefined)
    const examples = alone.map((each): [string, Condition[]] => ['the', [each]])
    await fc.assert(
      fc.asyncProperty(word, besides, async (q, chosen) => {
        const { facets } = await search({
          q,
          ...Object.fromEntries(chosen.flatMap(({ parameter }) => (parameter ? [parameter] : []))),
        })
        const text: IndexTree = { kind: 'text', words: [q], isPrefix: false }
        for (const [name, { parameter: own, valuesOf }] of Object.entries(FACETS)) {
          const others = chosen.filter(({ parameter }) => parameter?.[0] !== own)
          const tree: IndexTree = { kind: 'and', of: [text, ...others.map((of) => of.tree())] }
          const counts = new Map<string, number>()
          for (const { row, field } of naiveTreeHits(sessions, tree))
            for (const value of new Set(valuesOf(row, field))) counts.set(value, (counts.get(value) ?? 0) + 1)
          const told = facets[name as keyof typeof FACETS].filter(({ count }) => count > 0)
          expect(new Map(told.map(({ value, count }) => [value, count])), name).toEqual(counts)
        }
      }),
      { numRuns: examples.length + 6, examples },
    )
  })
})

describe('where nothing is found', () => {
  test('the filters that could go are named, the most helpful first, each with what there is then', async () => {
    const filters = ['tool:Edit', 'is:subagent', 'project:webshop']
    const orders = [filters, [...filters].reverse()]
    for (const written of orders) {
      const { total, relax } = await search({ q: `round ${written.join(' ')}` })
      expect(total).toBe(0)
      const totals = relax.map((relaxation) => relaxation.total)
      for (const relaxation of relax) expect(relaxation.total).toBe((await search({ q: relaxation.q })).total)
      expect(totals.length).toBeGreaterThan(1)
      // Equal ones could be in any order.
      expect(new Set(totals).size).toBe(totals.length)
      expect(totals).toEqual([...totals].sort((a, b) => b - a))
    }
  })

  test('so are those that stand beside the query', async () => {
    const { total, relax } = await search({ q: 'round is:subagent', tool: 'Edit', project: 'webshop' })
    expect(total).toBe(0)
    const totals = relax.map((relaxation) => relaxation.total)
    expect(totals.length).toBeGreaterThan(1)
    expect(totals).toEqual([...totals].sort((a, b) => b - a))
    for (const { parameter, q, total: promised } of relax) {
      const rest = {
        tool: 'Edit',
        project: 'webshop',
        ...(parameter === null ? {} : { [parameter]: undefined }),
      }
      expect((await search({ ...rest, q })).total).toBe(promised)
    }
  })

  test('what no single filter keeps away promises nothing', async () => {
    const { relax } = await search({ q: 'price tool:no-such-tool', project: 'no-such-project' })
    expect(relax).toEqual([])
  })

  test.each([
    ['npn', 'npm'],
    ['teh', 'the'],
    ['prcie', 'price'],
  ])('%s is taken for a slip of %s', async (typed, meant) => {
    const { total, didYouMean } = await search({ q: typed })
    expect(total).toBe(0)
    expect(didYouMean).toHaveLength(meant.length)
    expect((await search({ q: didYouMean ?? '' })).total).toBeGreaterThan(0)
  })
})
