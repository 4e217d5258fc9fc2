import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openWordFile, WordList } from './price-file.ts'

let folder: string
let told: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-words-'))
  told = []
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const open = (place = folder) =>
  new WordList(openWordFile(place, (problem) => told.push(problem ?? 'mended')))
const SHOP = { key: 'shop', hashes: ['aa'], folders: ['/h/tmp/aa'] }

describe('R54: what the user says of a project', () => {
  it('is there for the next run, in a file for this user only, in a folder made for it', () => {
    const place = join(folder, 'data')
    open(place).change(SHOP, { name: 'My shop' })
    expect(open(place).of(SHOP)).toMatchObject({ name: 'My shop', path: null, foundPath: null })
    expect(statSync(join(place, 'projects.json')).mode & 0o777).toBe(0o600)
    expect(readdirSync(place)).toEqual(['projects.json', 'projects.json.copy'])
  })

  it('survives that the project gets another key, as when it moves to a slug folder', () => {
    open().change(SHOP, { name: 'My shop' })
    expect(open().of({ key: 'other', hashes: ['aa', 'bb'], folders: [] })?.name).toBe('My shop')
    expect(open().of({ key: 'other', hashes: [], folders: ['/h/tmp/aa'] })?.name).toBe('My shop')
    expect(open().of({ key: 'other', hashes: [], folders: ['/h/tmp/shop'] })).toBeNull()
  })

  it('changes field by field, and is forgotten when all is taken back', () => {
    const store = open()
    store.change(SHOP, { name: 'My shop', path: '/code/shop' })
    store.change(SHOP, { name: null })
    expect(store.of(SHOP)).toMatchObject({ name: null, path: '/code/shop' })
    store.change(SHOP, { path: null })
    expect(store.of(SHOP)).toBeNull()
  })

  it('of two processes is kept whole', () => {
    const [one, other] = [open(), open()]
    one.change(SHOP, { name: 'One' })
    other.change({ key: 'api', hashes: [], folders: [] }, { name: 'Two' })
    one.reload()
    expect([one.of(SHOP)?.name, one.of({ key: 'api', hashes: [], folders: [] })?.name]).toEqual([
      'One',
      'Two',
    ])
  })

  it('may be anything: keys of objects have no power', () => {
    const store = open()
    store.change({ key: '__proto__', hashes: ['constructor'], folders: [] }, { name: '__proto__' })
    expect(open().of({ key: '__proto__', hashes: [], folders: [] })?.name).toBe('__proto__')
    expect(open().of({ key: 'toString', hashes: [], folders: [] })).toBeNull()
  })
})

describe('R54: a file that cannot be used', () => {
  it.each(['', '{"version":1,"projects":[{"key"', '[]', '{"version":1,"projects":[{"key":7}]}'])(
    'is kept aside and told of: %s',
    (text) => {
      writeFileSync(join(folder, 'projects.json'), text)
      const store = open()
      expect(store.of(SHOP)).toBeNull()
      expect(told).toEqual([expect.stringContaining('and there is no copy. The damaged file was saved as')])
      const [aside = ''] = readdirSync(folder)
      expect(aside).toMatch(/^projects\.json\.damaged-\d+$/)
      expect(readFileSync(join(folder, aside), 'utf8')).toBe(text)
      store.change(SHOP, { name: 'Again' })
      expect(open().of(SHOP)?.name).toBe('Again')
    },
  )

  it('of a later version is left alone', () => {
    const text = '{"version":2,"names":{}}'
    writeFileSync(join(folder, 'projects.json'), text)
    const store = open()
    expect(() => store.change(SHOP, { name: 'x' })).toThrow('later version')
    expect(store.of(SHOP)).toBeNull()
    expect(readFileSync(join(folder, 'projects.json'), 'utf8')).toBe(text)
  })

  it('in a folder that cannot be written leaves everything as it was', () => {
    open().change(SHOP, { name: 'Kept' })
    const blocked = join(folder, 'projects.json', 'below')
    expect(() => open(blocked).change(SHOP, { name: 'x' })).toThrow()
    expect(open().of(SHOP)?.name).toBe('Kept')
  })
})
