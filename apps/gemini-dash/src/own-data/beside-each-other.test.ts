import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { seededRandom } from '../../../../fixtures/seeded-random.ts'
import { openKeepSettings } from '../keep/keep-home.ts'
import { alone } from './data-folder.ts'
import { ForgottenSessions } from './kept-list.ts'
import { openMarks } from './open-marks.ts'
import { openBudgetFile, openHomeNameFile, openPriceFile, openWordFile } from './price-file.ts'

const ROUNDS = 15
/** Set OWN_KILLS=50 for more kills in a manual run. */
const KILLS = Number(process.env.OWN_KILLS ?? 4)
const WRITERS = ['a', 'b']

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-beside-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const urlOf = (module: string) => JSON.stringify(new URL(module, import.meta.url).href)

/** Adds an entry to every file, and forgets every second session that it marked; reports failures. */
const writing = (name: string) => `
  const [{ openMarks }, { BudgetStore, openBudgetFile }, { HomeNames, openHomeNameFile }, { openPriceFile },
    { WordList, openWordFile }, { ForgottenSessions }, { ArchiveControl }] = await Promise.all([
    ${['./open-marks.ts', './price-file.ts', './price-file.ts', './price-file.ts', './price-file.ts', './kept-list.ts', '../keep/archive-control.ts'].map((module) => `import(${urlOf(module)})`).join(', ')}])
  const folder = ${JSON.stringify(folder)}
  const tell = (message) => console.log(message)
  const { store, views } = openMarks(folder, tell)
  const budgets = new BudgetStore(openBudgetFile(folder, tell))
  const homes = new HomeNames(openHomeNameFile(folder, tell))
  const words = new WordList(openWordFile(folder, tell))
  const prices = openPriceFile(folder, tell)
  const forgotten = new ForgottenSessions(folder, tell)
  for (let round = 0; round < ${ROUNDS}; round++) {
    const key = \`${name}\${round}\`
    const project = { key, hashes: [], folders: [] }
    store.change(key, { note: key })
    views.update((known) => [...known, { name: key, href: '/' }])
    budgets.set(project, 1)
    homes.change([{ path: key, label: key }])
    words.change(project, { name: key })
    prices.update((before) => ({ ...before, aliases: { ...before.aliases, [key]: 'gemini-2.5-pro' } }))
    new ArchiveControl({ dataFolder: folder, homes: [{ path: key }], tell }).change({ enabled: true })
    forgotten.add([key])
    if (round % 2 === 1) store.forget(new Set([key]))
    if (store.of(key) !== null && round % 2 === 1) console.log('not forgotten: ' + key)
  }`

/** Counts on from the stored numbers, and prints each number once it is in all three files. */
const counting = (name: string) => `
  const { writeSync } = await import('node:fs')
  const [{ openMarks }, { openPriceFile }] = await Promise.all([
    ${['./open-marks.ts', './price-file.ts'].map((module) => `import(${urlOf(module)})`).join(', ')}])
  const folder = ${JSON.stringify(folder)}
  const { store, views } = openMarks(folder, (message) => console.error(message))
  const prices = openPriceFile(folder, (message) => console.error(message))
  const numbers = () => [
    Number(store.of(${JSON.stringify(name)})?.note ?? 0),
    Number(views.read().find((view) => view.name === ${JSON.stringify(name)})?.href.slice(2) ?? 0),
    Number(prices.current().aliases[${JSON.stringify(name)}]?.slice(1) ?? 0),
  ]
  for (let count = Math.max(...numbers()) + 1; ; count += 1) {
    store.change(${JSON.stringify(name)}, { note: String(count) })
    views.update((known) => [
      ...known.filter((view) => view.name !== ${JSON.stringify(name)}),
      { name: ${JSON.stringify(name)}, href: '/?' + count },
    ])
    prices.update((before) => ({
      ...before,
      aliases: { ...before.aliases, [${JSON.stringify(name)}]: 'm' + count },
    }))
    writeSync(1, count + '\\n')
  }`

async function write(name: string): Promise<string> {
  const node = ['--import', 'tsx', '--input-type=module', '--eval', writing(name)]
  const child = spawn(process.execPath, node, { stdio: ['ignore', 'pipe', 'pipe'] })
  return (await Promise.all([text(child.stdout), text(child.stderr)])).join('')
}

describe('several processes with one data folder', () => {
  it('lose nothing of what each was told is kept, and bring nothing back that one forgot', async () => {
    const read: string[] = []
    const before = openMarks(folder, (problem) => read.push(problem ?? 'mended'))
    before.store.change('first', { star: true })
    before.store.change('gone', { star: true })
    const ends = Promise.all(WRITERS.map(write))
    before.store.forget(new Set(['gone']))
    expect(await ends).toEqual(WRITERS.map(() => ''))

    const keys = WRITERS.flatMap((name) =>
      Array.from({ length: ROUNDS }, (_, round) => `${name}${round}`),
    ).sort()
    const tell = (problem: string | null) => read.push(problem ?? 'mended')
    const { store, views } = openMarks(folder, tell)
    const marked = ['first', ...keys.filter((key) => Number(key.slice(1)) % 2 === 0)]
    expect([...store.all().keys()].sort()).toEqual(marked.sort())
    before.store.reload()
    expect(before.store.all()).toEqual(store.all())
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
    const forgotten = new ForgottenSessions(folder, tell)
    expect(keys.filter((key) => !forgotten.has(key))).toEqual([])
    expect(read).toEqual([])
    for (const name of ['marks.jsonl', 'marks.jsonl.copy'])
      expect(readFileSync(join(folder, name), 'utf8')).not.toContain('"a1"')
    // the archive has its folder as soon as archiving is turned on
    const isOwn = (name: string) => name === 'archive' || /^[a-z]+\.jsonl?(\.copy|\.before)?$/.test(name)
    expect(readdirSync(folder).filter((name) => !isOwn(name))).toEqual([])
  })

  it('R54: lose nothing that was confirmed when one of them is killed at any moment', async () => {
    const random = seededRandom(KILLS)
    const told: string[] = []
    const tell = (problem: string | null) => told.push(problem ?? 'over')
    const confirmed = new Map<string, number>()
    for (let kill = 0; kill < KILLS; kill += 1) {
      const children = WRITERS.map((name) => {
        const node = ['--import', 'tsx', '--input-type=module', '--eval', counting(name)]
        const child = spawn(process.execPath, node, { stdio: ['ignore', 'pipe', 'inherit'] })
        child.stdout.setEncoding('utf8').on('data', (lines: string) => {
          for (const line of lines.trim().split('\n')) confirmed.set(name, Number(line))
        })
        return child
      })
      await Promise.all(children.map(({ stdout }) => once(stdout, 'data')))
      await setTimeout(random.next() * 150)
      for (const child of children) child.kill('SIGKILL')
      await Promise.all(children.map((child) => once(child, 'close')))

      const { store, views } = openMarks(folder, tell)
      const prices = openPriceFile(folder, tell).current().aliases
      for (const [name, count] of confirmed) {
        const found = [
          Number(store.of(name)?.note),
          Number(
            views
              .read()
              .find((view) => view.name === name)
              ?.href.slice(2),
          ),
          Number(prices[name]?.slice(1)),
        ]
        // an unconfirmed number may be stored or not
        for (const each of found) expect([count, count + 1]).toContain(each)
        confirmed.set(name, Math.max(count, ...found))
      }
    }
    // a line whose writer died halfway is no loss; nothing else may be reported
    expect(told.filter((problem) => !problem.includes('ended in the middle of a line'))).toEqual([])
  })

  it('pass over a writer that has ended, and one that is long gone', () => {
    const left = join(folder, 'writing.json')
    const { pid } = spawnSync(process.execPath, ['--version'])
    writeFileSync(left, JSON.stringify({ id: 'x', pid, host: hostname() }))
    expect(alone(folder, () => 'its turn')).toBe('its turn')
    // of another machine, whose processes cannot be checked here
    writeFileSync(left, JSON.stringify({ id: 'y', pid, host: 'another.example' }))
    utimesSync(left, 0, 0)
    expect(alone(folder, () => 'its turn')).toBe('its turn')
    // as a full disk leaves it, with a date from a wrong clock
    writeFileSync(left, '')
    utimesSync(left, 4_000_000_000, 4_000_000_000)
    expect(alone(folder, () => 'its turn')).toBe('its turn')
    expect(readdirSync(folder)).toEqual([])
    // its partial file is removed by the next write
    writeFileSync(join(folder, 'views.json.new'), 'a part')
    openMarks(folder, () => {}).views.update(() => [{ name: 'Mine', href: '/' }])
    expect(readdirSync(folder)).toEqual(['views.json', 'views.json.copy'])
  })

  it.skipIf(process.platform === 'win32')('wait for a writer that is suspended, however long', async () => {
    writeFileSync(join(folder, 'count'), '0')
    const holder = start(`alone(folder, () => {
      const before = read()
      writeSync(1, 'has it')
      process.kill(process.pid, 'SIGSTOP')
      writeFileSync(file, String(before + 1))
    })`)
    await once(holder.stdout, 'data')
    // as if hours had passed
    utimesSync(join(folder, 'writing.json'), 0, 0)
    const waiter = start(`writeSync(1, 'waits')
      alone(folder, () => writeFileSync(file, String(read() + 1)))`)
    await once(waiter.stdout, 'data')
    // long enough to take over what was left behind
    await setTimeout(500)
    expect(waiter.exitCode).toBeNull()
    const ends = [holder, waiter].map((child) => once(child, 'close'))
    holder.kill('SIGCONT')
    await Promise.all(ends)
    expect(readFileSync(join(folder, 'count'), 'utf8')).toBe('2')
  })
})

/** A process that can change the file `count`. */
function start(code: string) {
  const before = `
    const { readFileSync, writeFileSync, writeSync } = await import('node:fs')
    const { alone } = await import(${urlOf('./data-folder.ts')})
    const folder = ${JSON.stringify(folder)}
    const file = folder + '/count'
    const read = () => Number(readFileSync(file, 'utf8'))
    ${code}`
  const node = ['--import', 'tsx', '--input-type=module', '--eval', before]
  return spawn(process.execPath, node, { stdio: ['ignore', 'pipe', 'inherit'] })
}
