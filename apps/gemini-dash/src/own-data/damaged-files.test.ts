import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { seededRandom } from '../../../../fixtures/seeded-random.ts'
import { openKeepSettings } from '../keep/keep-home.ts'
import { ForgottenSessions } from './kept-list.ts'
import { openKeyFile } from './key-registry.ts'
import { openMarks } from './open-marks.ts'
import {
  BudgetStore,
  HomeNames,
  openBudgetFile,
  openHomeNameFile,
  openPriceFile,
  openWordFile,
  WordList,
} from './price-file.ts'

const SHOP = { key: 'shop', hashes: ['aa'], folders: ['/h/tmp/aa'] }
const FILES = [
  'budgets.json',
  'forgotten.json',
  'homes.json',
  'keep.json',
  'keys.jsonl',
  'marks.jsonl',
  'prices.json',
  'projects.json',
  'views.json',
]
/** People may edit it by hand: the change is used, and reported. */
const BY_HAND = 'prices.json'

let folder: string
let told: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-own-'))
  told = []
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const tell = (problem: string | null) => told.push(problem ?? 'over')
const inFolder = (name: string) => join(folder, name)
const names = () => readdirSync(folder).sort()

function write(): void {
  const { store, views } = openMarks(folder, tell)
  for (const key of ['s1', 's2', 's3']) store.change(key, { star: true, note: `note of ${key}`, tags: ['x'] })
  store.changeMessage('s1', 'm1', { note: 'of a message' })
  views.update(() => [{ name: 'First', href: '/?sort=cost' }])
  views.update((known) => [...known, { name: 'Second', href: '/usage' }])
  new BudgetStore(openBudgetFile(folder, tell)).set(SHOP, 50)
  new HomeNames(openHomeNameFile(folder, tell)).change([{ path: '/h', label: 'mine' }])
  new WordList(openWordFile(folder, tell)).change(SHOP, { name: 'My shop' })
  openKeepSettings(folder, tell).update(() => [{ home: '/h', isOn: true, maxBytes: 5, maxAgeDays: null }])
  new ForgottenSessions(folder, tell).add(['one', 'two'])
  openPriceFile(folder, tell).update((before) => ({ ...before, aliases: { mine: 'gemini-2.5-pro' } }))
  const entry = { home: 'h', place: 'p', start: 's', origin: null }
  openKeyFile(folder, tell).append([entry, { ...entry, place: 'q', file: 'f' }])
}

/** Everything shown from these files, read by another process. */
function read() {
  const { store, views } = openMarks(folder, tell)
  const forgotten = new ForgottenSessions(folder, tell)
  return {
    marks: [...store.all()],
    views: views.read(),
    budgets: openBudgetFile(folder, tell).read(),
    homes: openHomeNameFile(folder, tell).read(),
    words: openWordFile(folder, tell).read(),
    keep: openKeepSettings(folder, tell).read(),
    forgotten: ['one', 'two', 'three'].map((name) => forgotten.has(name)),
    prices: openPriceFile(folder, tell).current().aliases,
    keys: openKeyFile(folder, tell).readOn().entries,
  }
}

const FAULTS: Record<string, (path: string, bytes: Buffer, random: () => number) => void> = {
  'a flipped bit': (path, bytes, random) => {
    const at = Math.floor(random() * bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 7))
    writeFileSync(path, bytes)
  },
  'cut short': (path, bytes, random) =>
    writeFileSync(path, bytes.subarray(0, Math.floor(random() * bytes.length))),
  zeroes: (path, bytes) => writeFileSync(path, bytes.fill(0, bytes.length >> 1)),
  nothing: (path) => writeFileSync(path, ''),
  garbage: (path) => writeFileSync(path, '\xff\xfe garbage\n\0'),
  'a folder': (path) => {
    rmSync(path)
    mkdirSync(path)
    writeFileSync(join(path, 'within'), 'x')
  },
  'a broken link': (path) => {
    rmSync(path)
    symlinkSync(path, path)
  },
  'no file': (path) => rmSync(path),
}

describe('R54: a file of the data folder that was damaged', () => {
  const cases = FILES.flatMap((file) => Object.keys(FAULTS).map((fault) => [file, fault] as const))

  it.each(cases)('%s, now %s: nothing is lost, and it is told once', (file, fault) => {
    write()
    const whole = read()
    expect(told).toEqual([])
    const path = inFolder(file)
    const before = names()
    FAULTS[fault]?.(path, readFileSync(path), seededRandom(file.length + fault.length).next)
    const damaged = contentOf(path)
    const after = read()
    if (file === BY_HAND) {
      const isKept = ['.copy', '.before'].some((end) => textOf(`${path}${end}`).includes('mine'))
      expect(isKept).toBe(true)
    } else expect(after).toEqual(whole)
    expect(told.filter((problem) => problem.includes(file))).toHaveLength(1)
    expect(told).toHaveLength(1)
    // the old content is kept aside, and the next start reports nothing more
    if (damaged && file !== BY_HAND)
      expect(names().some((name) => contentOf(inFolder(name)) === damaged)).toBe(true)
    if (file === BY_HAND) return
    told = []
    expect(read()).toEqual(whole)
    expect(told).toEqual([])
    const asides = names().filter((name) => name.includes('.damaged-'))
    expect(names()).toEqual([...before, ...asides].sort())
  })

  it.skipIf(process.platform === 'win32')('may be a pipe, which nobody waits for', () => {
    write()
    const whole = read()
    for (const file of FILES) {
      rmSync(inFolder(file))
      execFileSync('mkfifo', [inFolder(file)])
    }
    const { prices: _was, ...kept } = whole
    expect(read()).toMatchObject(kept)
    expect(told).toHaveLength(FILES.length)
  })

  it('is nothing where a person deleted it with its copy', () => {
    write()
    for (const name of names()) rmSync(inFolder(name))
    expect(read()).toMatchObject({ marks: [], views: [], budgets: [], keys: [] })
    expect(told).toEqual([])
  })

  it('together with its copy: what is whole in either is there, and the rest is told as lost', () => {
    write()
    for (const [name, text] of [
      ['marks.jsonl', 'note of s1'],
      ['marks.jsonl.copy', 'note of s1'],
      ['marks.jsonl', 'note of s2'],
      ['marks.jsonl.copy', 'note of s3'],
    ] as const)
      writeFileSync(inFolder(name), readFileSync(inFolder(name), 'utf8').replace(text, 'another note'))
    const { marks } = read()
    expect(new Map(marks.map(([key, { note }]) => [key, note]))).toEqual(
      new Map([
        ['s1', ''],
        ['s2', 'note of s2'],
        ['s3', 'note of s3'],
      ]),
    )
    expect(told).toEqual([expect.stringMatching(/1 entry of its copy.* is used\. Lost: 1 damaged line\./)])
  })

  it('does not come back with what was forgotten', () => {
    write()
    const path = inFolder('marks.jsonl')
    writeFileSync(path, readFileSync(path, 'utf8').replace('note of s2', 'note of s_'))
    openMarks(folder, tell).store.forget(new Set(['s2']))
    expect(read().marks.map(([key]) => key)).toEqual(['s1', 's3'])
    for (const name of names().filter((each) => each.startsWith('marks')))
      expect(readFileSync(inFolder(name), 'utf8')).not.toContain('"s2"')
  })

  it('is put aside at most five times', () => {
    write()
    for (let time = 0; time < 8; time += 1) {
      writeFileSync(inFolder('views.json'), `damage ${time}`)
      expect(read().views).toHaveLength(2)
    }
    expect(names().filter((name) => name.startsWith('views.json.damaged'))).toHaveLength(5)
  })

  it.each(['views.json', 'marks.jsonl'])(
    '%s of a later version is left alone, and nothing is changed',
    (file) => {
      write()
      const path = inFolder(file)
      const text = readFileSync(path, 'utf8').replace(/"version": ?1/, '"version":99')
      writeFileSync(path, text)
      const { store, views } = openMarks(folder, tell)
      const change = () =>
        file === 'views.json' ? views.update(() => []) : store.change('s1', { star: false })
      expect(change).toThrow('later version')
      expect(readFileSync(path, 'utf8')).toBe(text)
      // meanwhile shows what this version wrote last
      expect([views.read().length, store.all().size]).toEqual([2, 3])
      expect(told).toEqual([expect.stringContaining('Changes are refused until that version runs again')])
    },
  )
})

describe('files of versions without checksums', () => {
  const withoutSums = (name: string) => {
    const path = inFolder(name)
    rmSync(`${path}.copy`)
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replace(/\s*"sum": ?"[^"]*",?/g, '').replaceAll(',}', '}'))
  }

  it('are read without a word, and have them from the next change on', () => {
    write()
    const whole = read()
    for (const name of FILES) if (name !== 'keys.jsonl') withoutSums(name)
    expect(read()).toEqual(whole)
    expect(told).toEqual([])
    const { store, views } = openMarks(folder, tell)
    store.change('s4', { star: true })
    views.update((known) => [...known, { name: 'Third', href: '/' }])
    for (const name of ['marks.jsonl', 'views.json']) {
      const text = readFileSync(inFolder(name), 'utf8')
      expect(text.match(/"sum"/g)).toHaveLength(name === 'views.json' ? 1 : 6)
      expect(readFileSync(inFolder(`${name}.copy`), 'utf8')).toBe(text)
    }
    expect(read().marks).toEqual([...whole.marks, ['s4', expect.objectContaining({ star: true })]])
  })

  it('a record of keys without a head is read, and has one from the next line on', () => {
    write()
    const path = inFolder('keys.jsonl')
    const [, ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n')
    rmSync(`${path}.copy`)
    writeFileSync(path, `\n${lines.join('\n')}\n`)
    const log = openKeyFile(folder, tell)
    expect(log.readOn().entries).toHaveLength(2)
    log.append([{ home: 'h', place: 'r', start: 's', origin: null }])
    expect(read().keys).toHaveLength(3)
    expect(readFileSync(path, 'utf8')).toMatch(/^\{"keys":"gemini-dash"/)
    expect(told).toEqual([])
  })
})

describe('R65: a data folder that is moved away while somebody reads', () => {
  it('leaves what was read, refuses changes, is not made again, and is as it was when it is back', () => {
    write()
    const place = inFolder('data')
    mkdirSync(place)
    for (const name of names()) if (name !== 'data') cpSync(inFolder(name), join(place, name))
    const { store, views } = openMarks(place, tell)
    const words = new WordList(openWordFile(place, tell))
    expect([store.all().size, views.read().length]).toEqual([3, 2])
    renameSync(place, `${place}-away`)
    store.reload()
    words.reload()
    expect([store.all().size, views.read().length, words.of(SHOP)?.name]).toEqual([3, 2, 'My shop'])
    for (const change of [
      () => store.change('s1', { note: 'new' }),
      () => views.update(() => []),
      () => words.change(SHOP, { name: 'x' }),
    ])
      expect(change).toThrow('was moved or deleted while gemini-dash was running')
    expect(existsSync(place)).toBe(false)
    renameSync(`${place}-away`, place)
    store.change('s1', { note: 'new' })
    expect(store.of('s1')?.note).toBe('new')
    expect(openMarks(place, tell).store.all().size).toBe(3)
    expect(told).toEqual([])
  })
})

function contentOf(path: string): string | null {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return null
  }
}

function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}
