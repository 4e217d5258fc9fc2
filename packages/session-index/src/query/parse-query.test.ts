import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { printQuery } from '../../test/print-query.ts'
import { MAX_QUERY_WORDS, parseQuery, type QueryContext } from './query.ts'
import type { QueryTree } from './tree.ts'

const CONTEXT: QueryContext = {
  mode: 'words',
  zone: 'Europe/Vienna',
  // A Wednesday, 12:30 in Vienna.
  nowMs: Date.parse('2026-01-14T11:30:00Z'),
}

const parse = (text: string) => parseQuery(text, CONTEXT)
const treeOf = (text: string) => parse(text).tree
const notesOf = (text: string) => parse(text).notes
const word = (...words: string[]): QueryTree => ({ kind: 'text', words, isPrefix: false })
const prefix = (...words: string[]): QueryTree => ({ kind: 'text', words, isPrefix: true })
const and = (...of: QueryTree[]): QueryTree => ({ kind: 'and', of })
const or = (...of: QueryTree[]): QueryTree => ({ kind: 'or', of })
const not = (of: QueryTree): QueryTree => ({ kind: 'not', of })

describe('words', () => {
  test.each<[string, QueryTree | null]>([
    ['fix  the frame', and(word('fix'), word('the'), word('frame'))],
    ['"frame buffer" bug', and(word('frame', 'buffer'), word('bug'))],
    ['„Straße“', word('strasse')],
    ['get_coffset foo.bar() a/b.ts', and(word('get', 'coffset'), word('foo', 'bar'), word('a', 'b', 'ts'))],
    ['東京', word('東', '京')],
    ['東　京', and(word('東'), word('京'))],
    ['ＡＢＣ １２', and(word('abc'), word('12'))],
    ['same SAME sàme', word('same')],
    ['nul\0byte', word('nul', 'byte')],
    ['C++', word('c')],
    ['roun*', prefix('roun')],
    ['get_coff*', prefix('get', 'coff')],
    ['"price roun"*', prefix('price', 'roun')],
    ['get_*', word('get')],
    ['"a*"', word('a')],
    ['rm --force', and(word('rm'), word('force'))],
    ['AND', word('and')],
    ['or not', and(word('or'), word('not'))],
    ['', null],
    [' -> "()" * ', null],
  ])('%j', (text, tree) => {
    expect(treeOf(text)).toEqual(tree)
  })

  it('are not looked for twice, and not more than a person types', () => {
    const many = Array.from({ length: MAX_QUERY_WORDS + 2 }, (_, index) => `w${index}`).join(' ')
    expect(treeOf(`${many} w0`)).toMatchObject({ of: { length: MAX_QUERY_WORDS } })
    expect(notesOf(many)).toEqual([`Only the first ${MAX_QUERY_WORDS} words were searched for.`])
  })

  it('that the index cannot know are named', () => {
    expect(notesOf('a => b')).toEqual([
      'Left out, as it has no letters or digits: “=>”. An exact text search finds it.',
    ])
    expect(notesOf('->')).toEqual([
      'Nothing to search for: type a word or a number, or search for a substring instead.',
    ])
  })
})

describe('what joins words', () => {
  test.each<[string, QueryTree | null]>([
    ['a OR b', or(word('a'), word('b'))],
    ['a b OR c', or(and(word('a'), word('b')), word('c'))],
    ['a (b OR c)', and(word('a'), or(word('b'), word('c')))],
    ['(a OR b) (c OR d)', and(or(word('a'), word('b')), or(word('c'), word('d')))],
    ['a OR b OR a', or(word('a'), word('b'))],
    ['a AND b', and(word('a'), word('b'))],
    ['npm -test', and(word('npm'), not(word('test')))],
    ['-"npm test"', not(word('npm', 'test'))],
    ['a -(b OR c)', and(word('a'), not(or(word('b'), word('c'))))],
    ['-(-a)', word('a')],
    ['((a))', word('a')],
    ['(foo.bar())', word('foo', 'bar')],
    ['(call() OR b)', or(word('call'), word('b'))],
    ['a-b', word('a', 'b')],
  ])('%s', (text, tree) => {
    expect(treeOf(text)).toEqual(tree)
    expect(notesOf(text)).toEqual([])
  })

  test.each<[string, QueryTree | null, RegExp]>([
    ['OR a', and(word('or'), word('a')), /“OR” has nothing to join/],
    ['a OR', and(word('a'), word('or')), /“OR” has nothing to join/],
    ['a OR OR b', or(and(word('a'), word('or')), word('b')), /“OR” has nothing to join/],
    ['(a OR) b', and(word('a'), word('or'), word('b')), /“OR” has nothing to join/],
    ['(a b', and(word('a'), word('b')), /Left out.*“\(”/],
    ['a) b', and(word('a'), word('b')), /^$/],
    ['a ) b', and(word('a'), word('b')), /Left out.*“\)”/],
    ['a NOT b', and(word('a'), word('not'), word('b')), /“NOT” was read as a word/],
    ['a NOT', and(word('a'), word('not')), /^$/],
    ['a not b', and(word('a'), word('not'), word('b')), /^$/],
    ['say "hello', and(word('say'), word('hello')), /quote without its partner/],
  ])('%s is read literally where it does not add up', (text, tree, note) => {
    expect(treeOf(text)).toEqual(tree)
    expect(notesOf(text).join('\n')).toMatch(note)
  })
})

describe('filters', () => {
  test.each<[string, QueryTree]>([
    ['project:webshop', { kind: 'project', name: 'webshop' }],
    ['Project:"my shop"', { kind: 'project', name: 'my shop' }],
    ['project:"a, b"', { kind: 'project', name: 'a, b' }],
    [String.raw`tag:"needs \"review\""`, { kind: 'tag', name: 'needs "review"' }],
    [String.raw`file:"C:\src\"`, { kind: 'file', pattern: 'C:\\src\\' }],
    ['model:a,b', or({ kind: 'model', pattern: 'a' }, { kind: 'model', pattern: 'b' })],
    ['model:"a","b"', or({ kind: 'model', pattern: 'a' }, { kind: 'model', pattern: 'b' })],
    ['tool:run_*', { kind: 'tool', pattern: 'run_*' }],
    ['-tool:run_shell_command', not({ kind: 'tool', pattern: 'run_shell_command' })],
    ['in:prompt,answer', { kind: 'in', fields: ['prompt', 'answer'] }],
    ['type:user', { kind: 'in', fields: ['prompt'] }],
    ['type:tool', { kind: 'in', fields: ['tool-args', 'tool-output'] }],
    ['type:error', { kind: 'is', what: 'error' }],
    ['is:live', { kind: 'is', what: 'live' }],
    ['is:SUPERSEDED', { kind: 'is', what: 'superseded' }],
    ['status:Cancelled', { kind: 'status', status: 'cancelled' }],
    ['file:C:\\code\\a.ts', { kind: 'file', pattern: 'C:\\code\\a.ts' }],
    ['file:src/**/*.ts', { kind: 'file', pattern: 'src/**/*.ts' }],
    ['has:images', { kind: 'has', what: 'image' }],
    ['has:thought', { kind: 'has', what: 'thoughts' }],
    ['has:data', { kind: 'has', what: 'data' }],
    ['tokens:>50k', { kind: 'tokens', compare: '>', value: 50_000 }],
    ['tokens:<=1.5m', { kind: 'tokens', compare: '<=', value: 1_500_000 }],
    ['tokens:7', { kind: 'tokens', compare: '=', value: 7 }],
    ['cost:>$0.10', { kind: 'cost', compare: '>', value: 0.1 }],
    ['is:starred', { kind: 'is', what: 'starred' }],
    ['tag:"to do"', { kind: 'tag', name: 'to do' }],
    ['note:idea', { kind: 'note', text: 'idea' }],
    ['session:477739d0', { kind: 'session', idPrefix: '477739d0' }],
  ])('%s', (text, tree) => {
    expect(treeOf(text)).toEqual(tree)
    expect(notesOf(text)).toEqual([])
  })

  it('join with words and groups', () => {
    expect(treeOf('tool:run_shell_command is:error -npm')).toEqual(
      and({ kind: 'tool', pattern: 'run_shell_command' }, { kind: 'is', what: 'error' }, not(word('npm'))),
    )
    expect(treeOf('(tool:a OR tool:"b c") x')).toEqual(
      and(or({ kind: 'tool', pattern: 'a' }, { kind: 'tool', pattern: 'b c' }), word('x')),
    )
  })

  it('stand in the query where they say, with sign and name', () => {
    const text = 'a -tool:x (model:"b c" OR d) -e'
    const written = parse(text).filters.map((filter) => [
      text.slice(filter.start, filter.end),
      filter.field,
      filter.value,
      filter.isNegated,
    ])
    expect(written).toEqual([
      ['-tool:x', 'tool', 'x', true],
      ['model:"b c"', 'model', 'b c', false],
      ['-e', 'text', 'e', true],
    ])
  })

  test.each([
    ['foo:bar', word('foo', 'bar'), 'there is no filter “foo:”'],
    ['-foo:bar', not(word('foo', 'bar')), 'there is no filter “foo:”'],
    ['tokens:many', word('tokens', 'many'), 'it takes a number such as >50k'],
    ['tokens:$5', word('tokens', '5'), 'it takes a number such as >50k'],
    ['cost:free', word('cost', 'free'), 'it takes a sum in dollars such as >0.10'],
    ['before:2026-02-31', word('before', '2026', '02', '31'), 'it takes a date'],
    ['is:great', word('is', 'great'), 'it takes error, live, starred, subagent or superseded'],
    ['in:prompt,moon', word('in', 'prompt', 'moon'), 'it takes title, prompt'],
    ['has:fun', word('has', 'fun'), 'it takes diff, image, thoughts, data or saved'],
    ['tool:""', word('tool'), 'a value is missing'],
  ])('%s is searched for literally, and the note says why', (text, tree, note) => {
    expect(treeOf(text)).toEqual(tree)
    expect(notesOf(text).join()).toContain(note)
  })

  test.each(['https://example.org/a?b=c', 'C:\\code', 'std::vector', '12:30', 'error:', '"tool:x"', 'tool:'])(
    '%s is plain text, without a note',
    (text) => {
      expect(parse(text)).toMatchObject({ filters: [], notes: [] })
    },
  )
})

describe('dates, in the zone of the query', () => {
  test.each([
    ['after:2026-01-10', '2026-01-09T23:00:00Z'],
    ['after:2026-07-10', '2026-07-09T22:00:00Z'],
    ['before:2025', '2024-12-31T23:00:00Z'],
    ['before:2025-12', '2025-11-30T23:00:00Z'],
    ['after:2026-01-10T08:15', '2026-01-10T07:15:00Z'],
    ['after:2026-01-10T08:15:30.5Z', '2026-01-10T08:15:30.500Z'],
    ['after:2026-01-10T08:15:00-05:00', '2026-01-10T13:15:00Z'],
    ['after:today', '2026-01-13T23:00:00Z'],
    ['after:yesterday', '2026-01-12T23:00:00Z'],
    ['after:monday', '2026-01-11T23:00:00Z'],
    ['after:wed', '2026-01-13T23:00:00Z'],
    ['after:thursday', '2026-01-07T23:00:00Z'],
    // T4: days are calendar days, including today; the first one begins at its midnight.
    ['after:-7d', '2026-01-07T23:00:00Z'],
    ['after:7d', '2026-01-07T23:00:00Z'],
    ['after:1d', '2026-01-13T23:00:00Z'],
    ['after:-2w', '2025-12-31T23:00:00Z'],
    // Daylight saving time applies then.
    ['after:-6m', '2025-07-14T22:00:00Z'],
    ['after:-1y', '2025-01-14T23:00:00Z'],
    ['before:-7d', '2026-01-07T23:00:00Z'],
    // Hours count back from now.
    ['after:-12h', '2026-01-13T23:30:00Z'],
  ])('%s', (text, moment) => {
    expect(treeOf(text)).toMatchObject({ timeMs: Date.parse(moment) })
  })

  it('T4: a month that ends today begins on the day after the last one of a shorter month', () => {
    const tree = parseQuery('after:-1m', {
      ...CONTEXT,
      zone: 'UTC',
      nowMs: Date.parse('2026-03-31T08:00:00Z'),
    }).tree
    expect(tree).toMatchObject({ timeMs: Date.parse('2026-03-01T00:00:00Z') })
  })

  it('a day begins when its clocks do', () => {
    // Midnight was skipped in Beirut on 2026-03-29.
    const tree = parseQuery('after:2026-03-29', { ...CONTEXT, zone: 'Asia/Beirut' }).tree
    expect(tree).toMatchObject({ timeMs: Date.parse('2026-03-28T22:00:00Z') })
  })
})

describe.each(['substring', 'regex'] as const)('in mode %s', (mode) => {
  const patternOf = (text: string) => parseQuery(text, { ...CONTEXT, mode })

  test.each([
    ['a  "b OR (c', 'a  "b OR (c'],
    [' with blanks ', ' with blanks '],
    ['tool:x (foo|bar)\\s+baz', '(foo|bar)\\s+baz'],
    ['foo  bar -tool:x', 'foo  bar'],
    ['foo tool:x  bar', 'foo bar'],
    ['foo:bar https://x', 'foo:bar https://x'],
    ['tokens:many', 'tokens:many'],
  ])('%j looks for %j', (text, pattern) => {
    expect(patternOf(text).text).toBe(pattern)
  })

  it('filters hold', () => {
    expect(patternOf('x(y) -tool:"a b" is:error')).toMatchObject({
      tree: and(not({ kind: 'tool', pattern: 'a b' }), { kind: 'is', what: 'error' }),
      text: 'x(y)',
      notes: [],
    })
  })

  it('what is no filter stays part of the pattern, and a note says so', () => {
    expect(patternOf('tokens:many').notes.join()).toContain('searched for literally')
  })
})

describe('whatever is typed', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'OR',
      'AND',
      '(',
      ')',
      '-',
      '"',
      '*',
      ' ',
      ',',
      ':',
      '-(',
      'tool:',
      'in:',
      'after:',
      'tokens:>',
    ),
    fc.constantFrom(
      'prompt',
      '50k',
      '-7d',
      'a',
      'b_c',
      '東京',
      'foo.bar()',
      'is:error',
      'model:x,y',
      '“z”',
      'é',
    ),
    fc.string({ unit: 'grapheme', maxLength: 4 }),
  )
  const typed = fc
    .array(fc.tuple(piece, fc.constantFrom('', ' ')), { maxLength: 14 })
    .map((all) => all.flat().join(''))
  const anyText = fc.oneof(typed, fc.string({ unit: 'binary' }), fc.string())

  test.each(['words', 'substring', 'regex'] as const)(
    'it can be read (%s), and filters stand where they say',
    (mode) => {
      fc.assert(
        fc.property(anyText, (text) => {
          const { filters, notes } = parseQuery(text, { ...CONTEXT, mode })
          for (const { field, start, end, isNegated } of filters) {
            const written = text.slice(start, end)
            expect(written.startsWith('-')).toBe(isNegated)
            if (field !== 'text')
              expect(written.replace(/^-/, '').toLowerCase().startsWith(`${field}:`)).toBe(true)
            // A filter is self-contained: parsed alone it is the same.
            const alone = parseQuery(written, { ...CONTEXT, mode }).filters
            expect(alone).toMatchObject([{ field, isNegated, start: 0, end: written.length }])
          }
          expect(filters).toEqual(filters.toSorted((a, b) => a.start - b.start))
          expect(new Set(notes).size).toBe(notes.length)
        }),
        { numRuns: 1_000 },
      )
    },
  )

  it('printed and read again means the same', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { tree } = parse(text)
        if (tree !== null) expect(treeOf(printQuery(tree))).toEqual(tree)
      }),
      { numRuns: 1_000 },
    )
  })

  it('a thousand parentheses are read as any other text', () => {
    expect(treeOf(`${'('.repeat(1_000)}a${')'.repeat(1_000)}`)).toEqual(word('a'))
  })
})
