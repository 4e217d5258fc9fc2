import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { foldTextOnly } from '@gemini-dash/api/fold-text'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { regexMatcher } from '../match/regex-matcher.ts'
import {
  ByteScanner,
  FOLDED_ONE_BY_ONE,
  FOLDING_RANGES,
  findableRuns,
  groupFilter,
  RawPattern,
  requiredLetters,
} from './group-filter.ts'

const folder = mkdtempSync(join(tmpdir(), 'group-filter-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function mayHold(
  mode: 'substring' | 'regex',
  pattern: string,
  content: string,
): Promise<boolean | null> {
  const absolutePath = join(folder, 'session.jsonl')
  writeFileSync(absolutePath, content)
  const place = { home: folder, path: 'session.jsonl', absolutePath, projectFolder: folder }
  const file = { ...place, sizeBytes: content.length, mtimeMs: 0, mtimeNs: '0', ctimeNs: '0', inode: '0' }
  const filter = groupFilter(mode, pattern)
  return filter === null ? null : filter({ id: 'g', fingerprint: '', files: [file] }, async () => {})
}

describe('groupFilter', () => {
  it('leaves out files that cannot hold the text', async () => {
    const line = `${JSON.stringify({ text: 'Résumé of the ﬁle — “quoted”' })}\n`
    expect(await mayHold('substring', 'resume', line)).toBe(true)
    expect(await mayHold('substring', 'THE FILE', line)).toBe(true)
    expect(await mayHold('substring', 'resumes', line)).toBe(false)
    expect(await mayHold('regex', 'Rés.*quo', line)).toBe(true)
    expect(await mayHold('regex', 'zeb(ra|u)|quotas', line)).toBe(false)
    expect(await mayHold('substring', 'file.name', line)).toBe(false)
    expect(await mayHold('regex', 'file.*quoted|other', line)).toBe(true)
  })

  it('finds a text at any place of a file of many pieces', async () => {
    const filler = `${'x'.repeat(1_000)}\n`.repeat(9_000)
    expect(await mayHold('substring', 'needle', `${filler}needle`)).toBe(true)
    expect(await mayHold('substring', 'needle', `needle${filler}`)).toBe(true)
    expect(await mayHold('substring', 'needle', filler)).toBe(false)
  })

  it('needs no lines', async () => {
    const oneLine = 'x'.repeat(5_000_000)
    expect(await mayHold('substring', 'needle', oneLine)).toBe(false)
    for (const spelling of ['nEEdle', 'ne\u0301edle', 'needl\\u0065', 'nee", "dle']) {
      for (const place of [0, 3, 1024 * 1024 - 16 * 1024 - 3, 1024 * 1024 - 3, 5_000_000]) {
        const held = `${oneLine.slice(0, place)}${spelling}${oneLine.slice(place)}`
        expect(await mayHold('substring', 'needle', held)).toBe(true)
      }
    }
  })

  it('looks for what the model joins', async () => {
    for (const gap of [0, 2]) {
      const parts = JSON.stringify([{ text: 'nee' }, { thought: true }, { text: 'dle' }], null, gap)
      expect(await mayHold('substring', 'needle', parts)).toBe(true)
      expect(await mayHold('substring', 'needle', JSON.stringify(['nee', 'dle'], null, gap))).toBe(true)
    }
    const tokens = [{ text: 'nee', bold: true, inverse: false, fg: '#ffffff', bg: '' }, { text: 'dle' }]
    expect(await mayHold('substring', 'needle', JSON.stringify([tokens], null, 2))).toBe(true)
  })

  it('never misses a text, however it is written', () => {
    const letters = fc.constantFrom(
      ...['a', 'E', 's', 't', 'f', 'i', 'k', 'é', 'É', 'ß', 'ſ', 'ﬁ', 'ﬃ', '™', 'K', 'ｅ', '①', 'ⅷ', '𝐞'],
      ...['\u0301', '\u00ad', '\u200b', '\ufe0f', ' ', '"', '\\', '中', '⽂', '文', '金', 'й', 'Σ', 'ς', 'ά'],
    )
    const anyText = fc.oneof(
      fc.array(letters, { maxLength: 12 }).map((all) => all.join('')),
      fc.string({ unit: 'binary' }),
    )
    const spellings = [
      (text: string) => JSON.stringify(text),
      (text: string) =>
        JSON.stringify(text).replace(
          /[^\0-\x7f]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
        ),
      (text: string) =>
        JSON.stringify(text).replace(
          /[aes]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
        ),
    ]
    fc.assert(
      fc.property(
        anyText,
        fc.nat(12),
        fc.integer({ min: 1, max: 8 }),
        fc.constantFrom(...spellings),
        (text, start, length, spell) => {
          const wanted = findableRuns([...foldTextOnly(text)].slice(start, start + length).join(''))
          fc.pre(wanted.length > 0)
          const raw = Buffer.from(spell(text))
          raw.copy(ByteScanner.one.chunk)
          for (const run of wanted) expect(new RawPattern(run).isInChunk(raw.length)).toBe(true)
        },
      ),
      { numRuns: 200 },
    )
  })

  it('knows every character that folds to letters', () => {
    const isLookedAt = (code: number) => FOLDING_RANGES.some(([first, last]) => code >= first && code <= last)
    const missed: string[] = []
    for (let code = 0x80; code <= 0x10ffff; code++) {
      const character = String.fromCodePoint(code)
      if (isLookedAt(code) || !/\p{Assigned}/u.test(character) || /\p{Script=Hangul}/u.test(character))
        continue
      const folded = foldTextOnly(character)
      if (folded !== character && (folded === '' || [...folded].some((one) => FOLDED_ONE_BY_ONE.test(one)))) {
        missed.push(code.toString(16))
      }
    }
    expect(missed).toEqual([])
  })
})

it('folding joins all that an expression takes for the same letter in another case', () => {
  const parted: string[] = []
  for (let code = 0x20; code <= 0x10ffff; code++) {
    const character = String.fromCodePoint(code)
    if (!/\p{Cased}/u.test(character)) continue
    const matcher = regexMatcher(character)
    for (const other of [character.toLowerCase(), character.toUpperCase()]) {
      if ('problem' in matcher || !matcher.isIn(other) || [...other].length > 1) continue
      if (foldTextOnly(other) !== foldTextOnly(character)) parted.push(`${character}${other}`)
    }
  }
  expect(parted).toEqual([])
})

describe('requiredLetters', () => {
  it.each([
    ['get_coffset(', [['coffset', 'get']]],
    ['ab', null],
    ['日本 x', [['日本']]],
    ['カタカナ', null],
  ])('of the text %j are %j', (text, letters) => {
    expect(requiredLetters('substring', text)).toEqual(letters)
  })

  it.each([
    ['needle0+x', [['needle0']]],
    ['fo+bar?baz', [['baz']]],
    ['abcd*', [['abc']]],
    ['foo(bar|baz)quux', [['quux', 'foo']]],
    ['first|second', [['first'], ['second']]],
    ['first|ab', null],
    ['(first|second)', null],
    ['(?-i)Todo\\b', [['todo']]],
    ['[a-z]]abc', [['abc']]],
    ['[]abc]xyz', [['xyz']]],
    ['\\d+\\.needle{2,3}s', [['needl']]],
    ['\\Qneedle\\E', null],
    ['\\x{41}needle', null],
    ['\\p{Greek}needle', null],
    ['[\\p{Greek}]needle', null],
    ['[[:alpha:]]needle', [['needle']]],
    ['needle\\', null],
  ])('of the expression %j are %j', (expression, letters) => {
    expect(requiredLetters('regex', expression)).toEqual(letters)
  })
})
