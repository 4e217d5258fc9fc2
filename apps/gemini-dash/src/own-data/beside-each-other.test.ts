import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openKeepSettings } from '../keep/keep-settings.ts'
import { openBudgetFile } from './budget-file.ts'
import { alone } from './data-folder.ts'
import { ForgottenBook } from './forgotten.ts'
import { openHomeNameFile } from './home-names.ts'
import { openMarks } from './marks/open-marks.ts'
import { openPriceFile } from './price-file.ts'
import { openWordFile } from './word-file.ts'

const ROUNDS = 15
const WRITERS = ['a', 'b']

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-beside-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const urlOf = (module: string) => JSON.stringify(new URL(module, import.meta.url).href)

/** Says something new in every file, and forgets every second session that it marked; tells what failed. */
const writing = (name: string) => `
  const [{ openMarks }, { BudgetBook }, { openBudgetFile }, { HomeNames, openHomeNameFile }, { openPriceFile },
    { WordBook }, { openWordFile }, { ForgottenBook }, { KeepDesk }] = await Promise.all([
    ${['./marks/open-marks.ts', './budget-book.ts', './budget-file.ts', './home-names.ts', './price-file.ts', './word-book.ts', './word-file.ts', './forgotten.ts', '../keep/keep-desk.ts'].map((module) => `import(${urlOf(module)})`).join(', ')}])
  const folder = ${JSON.stringify(folder)}
  const tell = (message) => console.log(message)
  const { book, views } = openMarks(folder, tell)
  const budgets = new BudgetBook(openBudgetFile(folder, tell))
  const homes = new HomeNames(openHomeNameFile(folder, tell))
  const words = new WordBook(openWordFile(folder, tell))
  const prices = openPriceFile(folder, tell)
  const forgotten = new ForgottenBook(folder, tell)
  for (let round = 0; round < ${ROUNDS}; round++) {
    const key = \`${name}\${round}\`
    const project = { key, hashes: [], folders: [] }
    book.change(key, { note: key })
    views.update((known) => [...known, { name: key, href: '/' }])
    budgets.set(project, 1)
    homes.change([{ path: key, label: key }])
    words.change(project, { name: key })
    prices.update((before) => ({ ...before, aliases: { ...before.aliases, [key]: 'gemini-2.5-pro' } }))
    new KeepDesk({ dataFolder: folder, homes: [{ path: key }], tell }).change({ enabled: true })
    forgotten.add([key])
    if (round % 2 === 1) book.forget(new Set([key]))
    if (book.of(key) !== null && round % 2 === 1) console.log('not forgotten: ' + key)
  }`

async function write(name: string): Promise<string> {
  const node = ['--import', 'tsx', '--input-type=module', '--eval', writing(name)]
  const child = spawn(process.execPath, node, { stdio: ['ignore', 'pipe', 'pipe'] })
  return (await Promise.all([text(child.stdout), text(child.stderr)])).join('')
}

describe('several processes with one data folder', () => {
  it('lose nothing of what each was told is kept, and bring nothing back that one forgot', async () => {
    const read: string[] = []
    const before = openMarks(folder, (message) => read.push(message ?? 'over'))
    before.book.change('first', { star: true })
    before.book.change('gone', { star: true })
    const ends = Promise.all(WRITERS.map(write))
    before.book.forget(new Set(['gone']))
    expect(await ends).toEqual(WRITERS.map(() => ''))

    const keys = WRITERS.flatMap((name) =>
      Array.from({ length: ROUNDS }, (_, round) => `${name}${round}`),
    ).sort()
    const tell = (message: string | null) => read.push(message ?? 'over')
    const { book, views } = openMarks(folder, tell)
    const marked = ['first', ...keys.filter((key) => Number(key.slice(1)) % 2 === 0)]
    expect([...book.all().keys()].sort()).toEqual(marked.sort())
    before.book.reload()
    expect(before.book.all()).toEqual(book.all())
    const named = {
      views: views.read().map(({ name }) => name),
      budgets: openBudgetFile(folder, tell)
        .read()
        .map(({ project }) => project?.key),
      homes: openHomeNameFile(folder, tell)
        .read()
        .map(({ path }) => path),
      words: openWordFile(folder, tell)
        .read()
        .map(({ key }) => key),
      prices: Object.keys(openPriceFile(folder, tell).current().aliases),
      keep: openKeepSettings(folder, tell)
        .read()
        .map(({ home }) => home),
    }
    for (const [name, found] of Object.entries(named)) expect(found.sort(), name).toEqual(keys)
    const forgotten = new ForgottenBook(folder, tell)
    expect(keys.filter((key) => !forgotten.has(key))).toEqual([])
    expect(read).toEqual([])
    for (const name of ['marks.jsonl', 'marks.jsonl.copy'])
      expect(readFileSync(join(folder, name), 'utf8'), name).not.toContain('"a1"')
    // room for what an archive on a full disk has to say
    expect(readdirSync(folder).filter((name) => !/^[a-z]+\.jsonl?(?:\.copy|\.before)?$/.test(name))).toEqual([
      'archive',
    ])
  })

  it('pass over a writer that has ended, and one that is long gone', () => {
    const left = join(folder, 'writing.json')
    const { pid } = spawnSync(process.execPath, ['--version'])
    writeFileSync(left, JSON.stringify({ id: 'x', pid, host: hostname() }))
    expect(alone(folder, () => 'its turn')).toBe('its turn')
    // of another machine, whose processes nobody here can ask for
    writeFileSync(left, JSON.stringify({ id: 'y', pid, host: 'another.example' }))
    utimesSync(left, 0, 0)
    expect(alone(folder, () => 'its turn')).toBe('its turn')
    // as a full disk leaves it, dated by a clock that was wrong
    writeFileSync(left, '')
    utimesSync(left, 4_000_000_000, 4_000_000_000)
    expect(alone(folder, () => 'its turn')).toBe('its turn')
    expect(readdirSync(folder)).toEqual([])
    // what it had written of a file goes with the next one
    writeFileSync(join(folder, 'views.json.new'), 'a part')
    openMarks(folder, () => {}).views.update(() => [{ name: 'Mine', href: '/' }])
    expect(readdirSync(folder)).toEqual(['views.json', 'views.json.copy'])
  })
})
