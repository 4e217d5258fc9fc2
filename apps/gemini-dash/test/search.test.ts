import {
  findResultSchema,
  questionPath,
  type SearchResult,
  searchResultSchema,
  sessionPath,
  suggestionListSchema,
} from '@gemini-dash/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { fixtureHome, openTestServer, type TestServer } from './open-test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer({ home: fixtureHome('../home') })
})
afterAll(() => server.close())

async function get<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.infer<Schema>> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers: { cookie: server.cookie } })
  return schema.parse(await answer.json())
}

const search = (q: string, rest: Record<string, string> = {}) =>
  get(questionPath('search', { q, limit: 1000, ...rest }), searchResultSchema)
const suggest = async (q: string, at = q.length) =>
  get(questionPath('search/suggest', { q, at }), suggestionListSchema)
const facet = (result: SearchResult, name: keyof SearchResult['facets'], value: string) =>
  result.facets[name].find((option) => option.value === value)?.count ?? 0

describe('a query', () => {
  test('of words and filters finds messages that fulfil all of it', async () => {
    const all = await search('rounding')
    const some = await search('rounding tool:run_shell_command is:error')
    expect(some.total).toBeGreaterThan(0)
    expect(some.total).toBeLessThan(all.total)
    expect(some.total).toBe(facet(await search('rounding tool:run_shell_command'), 'is', 'error'))
    const others = await search('rounding -(tool:run_shell_command is:error)')
    expect(some.total + others.total).toBe(all.total)
  })

  test('of filters alone lists what fulfils them', async () => {
    const { hits, total } = await search('is:superseded')
    expect(total).toBeGreaterThan(0)
    expect(hits.every(({ superseded }) => superseded)).toBe(true)
  })

  test('that finds a session by its kind shows the title, not the id', async () => {
    const { hits, sessions } = await search('is:subagent')
    const titles = hits.filter(({ field }) => field === 'title')
    expect(titles.length).toBeGreaterThan(0)
    for (const { snippet, sessionKey } of titles) expect(sessions[sessionKey]?.title).toContain(snippet)
  })

  test('may call a tool as it is called on screen', async () => {
    const { total, hits } = await search('tool:shell')
    expect(total).toBeGreaterThan(0)
    expect(hits).toEqual((await search('tool:run_shell_command')).hits)
    const both = await search('tool:"searchtext",Edit')
    expect(both.hits).toEqual((await search('tool:grep_search,search_file_content,replace')).hits)
  })

  test('says which filters it has, and how it is without each', async () => {
    const { filters } = await search('rounding project:webshop -lockfile')
    expect(filters).toMatchObject([
      { field: 'project', value: 'webshop', without: 'rounding -lockfile' },
      { field: 'text', value: 'lockfile', isNegated: true, without: 'rounding project:webshop' },
    ])
  })

  test('and the parameters beside it hold together, as if they were written', async () => {
    const written = await search('rounding project:webshop tool:read_file,glob in:tool-output')
    const beside = await search('rounding', { project: 'webshop', tool: 'read_file,glob', in: 'tool-output' })
    expect(beside.total).toBeGreaterThan(0)
    expect(beside.hits).toEqual(written.hits)
  })

  test('in another mode is looked for as it was typed, beside its filters', async () => {
    const { total, hits } = await search('oundin tool:run_shell_command', { mode: 'substring' })
    expect(total).toBeGreaterThan(0)
    expect(
      hits.every(({ snippet, ranges: [[start, end] = [0, 0]] }) => snippet.slice(start, end) === 'oundin'),
    ).toBe(true)
  })

  test('that is the beginning of a session’s id names the session', async () => {
    const { sessions } = await server.store.sessions({ kind: 'main', sort: 'recent', limit: 1 })
    const [session] = sessions
    for (const q of [session?.sessionId, session?.sessionId.slice(0, 8), session?.key])
      expect((await search(q ?? '')).named).toEqual({ key: session?.key, title: session?.title })
    expect((await search('rounding')).named).toBeNull()
  })
})

test('a search that nobody waits for is given up, and is no fault', async () => {
  const leave = new AbortController()
  const { search: ask } = server.store
  const asked = new Promise<AbortSignal | undefined>((resolve) => {
    server.store.search = (query, asides) => {
      resolve(asides?.signal)
      leave.abort()
      return ask.call(server.store, query, asides)
    }
  })
  const address = `http://127.0.0.1:${server.port}${questionPath('search', { q: '.*', mode: 'regex' })}`
  const answer = fetch(address, { headers: { cookie: server.cookie }, signal: leave.signal })
  await expect(answer).rejects.toThrow('aborted')
  const signal = await asked
  server.store.search = ask
  await expect.poll(() => signal?.aborted).toBe(true)
  expect((await search('rounding')).total).toBeGreaterThan(0)
  expect(server.problems).toEqual([])
})

describe('a search as lines', () => {
  const LINES = { accept: 'application/x-ndjson' }
  const ask = (path: string, headers: Record<string, string> = {}, signal: AbortSignal | null = null) =>
    fetch(`http://127.0.0.1:${server.port}${path}`, {
      headers: { cookie: server.cookie, ...headers },
      signal,
    })

  test.each(['words', 'substring', 'regex'] as const)(
    'ends with the very bytes that it has as one answer, by %s',
    async (mode) => {
      const path = questionPath('search', { q: 'round', mode, limit: 3 })
      const lines = await ask(path, LINES)
      expect(lines.headers.get('content-type')).toBe('application/x-ndjson')
      expect(lines.headers.get('vary')).toContain('Accept')
      expect(lines.headers.get('cache-control')).toBe('private, no-store')
      const text = await lines.text()
      expect(text.endsWith('\n')).toBe(true)
      expect(text.trimEnd().split('\n').at(-1)).toBe(await (await ask(path)).text())
    },
  )

  test('has what was found by then before that, and is given up by who leaves', async () => {
    const { search: real } = server.store
    const path = questionPath('search', { q: 'round', mode: 'substring' })
    const asked = new Promise<AbortSignal | undefined>((resolve) => {
      server.store.search = async (query, { signal, onPartial } = {}) => {
        const answer = await real.call(server.store, query)
        onPartial?.({ ...answer, total: 1, coverage: { filesDone: 1, filesTotal: 9 } })
        resolve(signal)
        await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
        return answer
      }
    })
    const leave = new AbortController()
    const lines = (await ask(path, LINES, leave.signal)).body?.getReader()
    const first = searchResultSchema.parse(
      JSON.parse(Buffer.from((await lines?.read())?.value ?? '').toString()),
    )
    expect(first).toMatchObject({ total: 1, coverage: { filesDone: 1, filesTotal: 9 } })
    const signal = await asked
    server.store.search = real
    expect(signal?.aborted).toBe(false)
    leave.abort()
    await expect.poll(() => signal?.aborted).toBe(true)
    expect(server.problems).toEqual([])
  })

  test('that cannot be made is refused as any other', async () => {
    const refused = await ask('/api/search?mode=fuzzy', LINES)
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({ error: { code: 'bad-request' } })
  })
})

describe('facets', () => {
  test('count what the other filters leave; the own choice does not narrow them', async () => {
    const open = await search('rounding')
    const chosen = await search('rounding', { tool: 'run_shell_command' })
    expect(chosen.facets.tool).toEqual(open.facets.tool)
    expect(chosen.total).toBe(facet(open, 'tool', 'run_shell_command'))
    expect(chosen.facets.status).not.toEqual(open.facets.status)
    const two = await search('rounding', { tool: 'run_shell_command,read_file' })
    expect(two.total).toBeGreaterThan(chosen.total)
  })

  test('each count is what there is after choosing it', async () => {
    const { facets } = await search('the')
    for (const [name, parameter] of [
      ['project', 'project'],
      ['model', 'model'],
      ['tool', 'tool'],
      ['status', 'status'],
      ['is', 'is'],
    ] as const) {
      expect(facets[name].length).toBeGreaterThan(0)
      for (const { value, count } of facets[name])
        expect([name, value, (await search('the', { [parameter]: value })).total]).toEqual([
          name,
          value,
          count,
        ])
    }
  })
})

describe('where nothing is found', () => {
  test('a slip is mended', async () => {
    expect((await search('roundign tool:read_file')).didYouMean).toBe('rounding tool:read_file')
    expect((await search('rounding')).didYouMean).toBeNull()
  })

  test('the filters that could go are named, with what there would be', async () => {
    const { total, relax } = await search('E_LEDGER_DRIFT project:webshop', { in: 'prompt' })
    expect([total, relax]).toEqual([0, []])
    const one = await search('E_LEDGER_DRIFT before:2001')
    expect(one.relax).toEqual([
      {
        label: 'before:2001',
        q: 'E_LEDGER_DRIFT',
        parameter: null,
        total: (await search('E_LEDGER_DRIFT')).total,
      },
    ])
    expect((await search('E_LEDGER_DRIFT', { in: 'title' })).relax).toMatchObject([{ parameter: 'in' }])
  })
})

describe('suggestions', () => {
  test('name operators, and values that fit a word', async () => {
    const { start, end, items } = await suggest('a pro')
    expect([start, end, items[0]]).toMatchObject([2, 5, { text: 'project:' }])
    expect((await suggest('websh')).items).toContainEqual(
      expect.objectContaining({ text: 'project:webshop ', label: 'project:webshop' }),
    )
  })

  test.each([
    ['project:web', 'webshop '],
    ['-tool:run', 'run_shell_command '],
    ['in:prompt,tho', 'thought '],
    ['is:', 'error '],
    ['after:y', 'yesterday '],
    ['session:3e7a', '3e7a7b68 '],
    ['file:', 'src/cart.js '],
    ['-file:CART', 'src/cart.js '],
  ])('%s goes on as %s', async (q, text) => {
    expect((await suggest(q)).items.map((item) => item.text)).toContain(text)
  })

  test('are none between words', async () => {
    expect((await suggest('rounding ')).items).toEqual([])
  })
})

test('find in a session understands the same as a search', async () => {
  for (const q of ['rounding', 'voucher OR cart', 'is:error', 'tool:replace -cart', 'round* in:thought']) {
    const { hits } = await search(q)
    const key = hits.find(({ messageKey }) => messageKey !== null)?.sessionKey ?? ''
    const wanted = hits.filter(({ sessionKey, messageKey }) => sessionKey === key && messageKey !== null)
    const found = await get(sessionPath('find', key, { q }), findResultSchema)
    const names = (list: { messageKey: string | null; field: string }[]) =>
      list.map(({ messageKey, field }) => `${messageKey} ${field}`).sort()
    expect([q, names(found.hits)]).toEqual([q, names(wanted)])
    expect(found.total).toBeGreaterThan(0)
  }
})

describe('a search of the files whose time is over', () => {
  const LETTERS = '[a-z]{3,} (the|a) [a-z]+'
  const found = ({ hits }: SearchResult) =>
    hits.map(({ sessionKey, messageKey, field }) => `${sessionKey} ${messageKey} ${field}`)

  test('says so, and whoever follows its cursor has every hit once', async () => {
    const whole = await search(LETTERS, { mode: 'regex', timeout: '600' })
    expect(whole.partial).toBeNull()
    const parts: SearchResult[] = []
    let cursor: string | null = ''
    while (cursor !== null && parts.length < 1_000) {
      const part: SearchResult = await search(LETTERS, {
        ...{
          mode: 'regex',
          ...(parts.length < 20 ? { timeout: '0.00001', limit: '7' } : { timeout: '600' }),
        },
        ...(cursor !== '' && { cursor }),
      })
      parts.push(part)
      cursor = part.nextCursor
    }
    const [first] = parts
    expect(first?.partial).toEqual({ seconds: 0.00001, messagesLeftOut: 0 })
    expect(first?.coverage.filesDone).toBeLessThan(first?.coverage.filesTotal ?? 0)
    expect(parts.at(-1)?.partial).toBeNull()
    const all = parts.flatMap(found)
    expect(new Set(all).size).toBe(all.length)
    expect(all.toSorted()).toEqual(found(whole).toSorted())
  })

  test.each(['x', '-1', '0~', '0~zz', '0~1.2', '0~1.2.3.4', '7~~', `0~${'z'.repeat(99)}.1.1`, '~~~'])(
    'takes %j for no cursor',
    async (cursor) => {
      const { total, hits } = await search('rounding', { mode: 'substring', cursor })
      expect([total > 0, cursor.startsWith('7') || hits.length > 0]).toEqual([true, true])
    },
  )
})
