import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BudgetReport, Health, MarkList, Settings, ViewList } from '../../packages/api/src/index.ts'
import type { FaultPart } from '../fault-part.ts'
import { expectQuiet } from '../oracle/expect-healthy-end.ts'
import { findDifferences } from '../oracle/find-differences.ts'
import { foldersIn, type Server, type Start, startServer } from '../program/start-server.ts'
import { writeHome } from '../stand-in/write-home.ts'
import type { Trial } from '../trial.ts'

const SESSIONS = 6
const TRIALS_A_RUN = 25
const BOUNDED_TRIALS = 2
/** Files damaged between two starts. */
const AT_ONCE = 3
const CHANGES = 30
/** Sizes of a disk that fills up soon. */
const DISK_KB = [48, 160] as const
/** Users may edit it: what can be read is used, and errors are reported. */
const BY_HAND = 'prices.json'
/** Files without user data. */
const PASSING = /^(?:servers|codes|command-sessions|archive)(?:\/|$)|\.damaged-|^writing\.json|^open-/

export const ownData: FaultPart = {
  name: 'own-data',
  does: 'R54, R65: files of the data folder are damaged, swapped, deleted or replaced by other things, the server is killed while it writes them, or their disk is full',
  needs: ['linux', 'user namespace'],
  run: async (trial) => {
    while (trial.hasTime()) {
      const folder = trial.newFolder()
      const { home, cache, data: whole } = foldersIn(folder)
      writeHome(home, trial.random.integer(1, 1_000_000), SESSIONS)
      const start: Start = { program: trial.program, home, cache, data: whole }
      const said = await sayEverything(trial, start)
      const count = trial.isBounded ? BOUNDED_TRIALS : TRIALS_A_RUN
      for (let fault = 0; fault < count; fault += 1) {
        const data = join(folder, `data-${fault}`)
        cpSync(whole, data, { recursive: true, preserveTimestamps: true })
        await oneTrial(trial, { ...start, data }, said)
        rmSync(data, { recursive: true, force: true })
      }
      await killedWhileWriting(trial, { ...start, data: join(folder, 'data-killed') })
      await fullDisk(trial, { ...start, data: join(folder, 'data-full') })
    }
  },
}

/** User data as shown, by the file in which it is stored. */
interface Said {
  marks: MarkList['marks']
  views: ViewList['views']
  budgets: unknown
  projects: unknown
  homes: unknown
  prices: unknown
  keep: unknown
}
const FILE_OF: Record<keyof Said, string> = {
  marks: 'marks.jsonl',
  views: 'views.json',
  budgets: 'budgets.json',
  projects: 'projects.json',
  homes: 'homes.json',
  prices: BY_HAND,
  keep: 'keep.json',
}

async function sayEverything(trial: Trial, start: Start): Promise<Said> {
  trial.at('everything is said once')
  const server = await startServer(start)
  await server.whenReady()
  const keys = await keysOf(server)
  const random = trial.random
  for (const [at, key] of keys.entries())
    await put(server, `/api/marks/${key}`, {
      star: random.next() < 0.5,
      note: `note ${at} ${'word '.repeat(random.integer(0, 20))}`,
      tags: [`tag${at}`, 'später'],
      title: `Title ${at}`,
    })
  for (const views of [
    [{ name: 'One', href: '/?sort=cost' }],
    [
      { name: 'One', href: '/?sort=cost' },
      { name: 'Two', href: '/search?q=the' },
    ],
  ])
    await put(server, '/api/views', { views })
  await put(server, '/api/budgets/all', { usdPerMonth: random.integer(1, 500) })
  const { projects } = await server.get<{ projects: { key: string }[] }>('/api/projects')
  for (const { key } of projects) await put(server, `/api/projects/${key}`, { name: `Named ${key}` })
  await put(server, '/api/settings', { homes: [{ path: start.home, label: 'my machine' }] })
  const price = { inputPerMillion: 7, cachedPerMillion: null, outputPerMillion: 70 }
  for (const model of ['model-a', 'model-b']) await put(server, '/api/settings', { price: { model, price } })
  await put(server, '/api/keep', { enabled: false, limits: { maxAgeDays: 400, maxBytes: 5e9 } })
  const said = await read(server)
  await endQuietly(trial, server)
  return said
}

/** One start after the fault, which must show the data and accept changes; a second one must show both and report nothing more. */
async function oneTrial(trial: Trial, start: Start, said: Said): Promise<void> {
  const damaged = damage(trial, start.data)
  const first = await startServer(start)
  await first.whenReady()
  const told = await expectSaid(trial, first, said)
  expectQuiet(trial, first.stderr())
  const [key = ''] = await keysOf(first)
  const views = [...said.views, { name: 'New', href: '/usage' }]
  const statuses = [
    await put(first, `/api/marks/${key}`, { note: 'said afterwards' }),
    await put(first, '/api/views', { views }),
  ]
  // a bit flip may turn the version into a later one: the file is left alone, and changes are refused
  const isRefused = /later version/.test(told)
  if (!isRefused && statuses.some((status) => status !== 200))
    trial.addDifferences([`changes were answered with ${statuses.join(', ')}`])
  await first.end(trial.random.next() < 0.5 ? 'SIGKILL' : 'SIGTERM')
  trial.addLosses(notKept(start.data, damaged, told))

  const second = await startServer(start)
  await second.whenReady()
  if (/was damaged|is restored|was empty|was missing|was missing lines/.test(second.stderr()))
    trial.addDifferences([`it is told again by the next start: ${second.stderr()}`])
  const mark = said.marks[key]
  const withNews = {
    ...said,
    views: statuses[1] === 200 ? views : said.views,
    marks:
      statuses[0] === 200 && mark !== undefined
        ? { ...said.marks, [key]: { ...mark, note: 'said afterwards' } }
        : said.marks,
  }
  await expectSaid(trial, second, withNews, told)
  await endQuietly(trial, second)
}

/** Expects the data to be shown, or its loss to be reported. Returns everything reported. */
async function expectSaid(trial: Trial, server: Server, said: Said, toldBefore = ''): Promise<string> {
  const shown = await read(server)
  const { warnings } = await server.get<Health>('/api/health')
  const told = [toldBefore, server.stderr(), ...warnings.map(({ message }) => message)].join('\n')
  for (const part of Object.keys(FILE_OF) as (keyof Said)[]) {
    const differences = findDifferences(shown[part], said[part])
    if (differences.length === 0) continue
    const sentence = `${part}: ${differences.slice(0, 3).join('; ')}`
    if (!told.includes(FILE_OF[part])) trial.addDifferences([`silently other than it was, ${sentence}`])
    // one of a file and its copy is always intact
    else if (FILE_OF[part] !== BY_HAND) trial.addLosses([`lost though its copy was whole, ${sentence}`])
  }
  return told
}

/** A damaged file that was reported must be preserved somewhere, even after further changes. */
function notKept(data: string, damaged: readonly Damaged[], told: string): string[] {
  const kept = filesOf(data).map((path) => readFileSync(path))
  return damaged.flatMap(({ path, bytes }) => {
    const isOurs = told.includes(`${path} `) && path !== BY_HAND && bytes.length > 0
    return isOurs && !kept.some((each) => each.equals(bytes))
      ? [`what stood in ${path} after the fault is nowhere`]
      : []
  })
}

/** Every change answered with 200 must be saved, and nothing else. */
async function killedWhileWriting(trial: Trial, start: Start): Promise<void> {
  const ms = trial.random.integer(5, 400)
  trial.at(`killed after ${ms} ms of changes`)
  trial.addFaults()
  const server = await startServer(start)
  await server.whenReady()
  const keys = await keysOf(server)
  const confirmed = new Map<string, number>()
  const asked = new Map<string, number>()
  const saying = sayOn(server, keys, { asked, confirmed })
  await sleep(ms)
  await server.end('SIGKILL')
  await saying
  await expectConfirmed(trial, start, { asked, confirmed, isTornTold: true })
}

/** Other parts test how long it takes to end. */
async function endQuietly(trial: Trial, server: Server): Promise<void> {
  await server.end()
  expectQuiet(trial, server.stderr())
}

async function fullDisk(trial: Trial, start: Start): Promise<void> {
  const sizeKb = trial.random.integer(...DISK_KB)
  trial.at(`a disk of ${sizeKb} kB`)
  trial.addFaults()
  const disk = `${start.data}-disk`
  mkdirSync(disk)
  const script = `mount -t tmpfs -o size=${sizeKb}k,mode=0700 tmpfs "${disk}" && exec "$@"`
  const server = await startServer({
    ...start,
    data: disk,
    before: `exec unshare -Urm bash -c '${script}' bash "$@"`,
  })
  await server.whenReady()
  const keys = await keysOf(server)
  const confirmed = new Map<string, number>()
  const asked = new Map<string, number>()
  await sayOn(server, keys, { asked, confirmed }, 'x'.repeat(trial.random.integer(500, 6_000)))
  // the disk is visible only to the server
  cpSync(`/proc/${server.pid}/root${disk}`, start.data, { recursive: true })
  expectQuiet(trial, server.stderr())
  await server.end('SIGKILL')
  await expectConfirmed(trial, start, { asked, confirmed, isTornTold: false })
}

interface Progress {
  asked: Map<string, number>
  confirmed: Map<string, number>
}

/** Makes changes one after the other, each with another number, until the server is gone. */
async function sayOn(
  server: Server,
  keys: string[],
  { asked, confirmed }: Progress,
  more = '',
): Promise<void> {
  try {
    for (let change = 1; change <= CHANGES; change += 1) {
      const key = keys[change % keys.length] ?? ''
      asked.set(key, change)
      if ((await put(server, `/api/marks/${key}`, { note: `${change} ${more}` })) === 200)
        confirmed.set(key, change)
      asked.set('views', change)
      const views = [{ name: `${change}`, href: '/' }]
      if ((await put(server, '/api/views', { views })) === 200) confirmed.set('views', change)
    }
  } catch {
    // it was killed
  }
}

async function expectConfirmed(
  trial: Trial,
  start: Start,
  { asked, confirmed, isTornTold }: Progress & { isTornTold: boolean },
): Promise<void> {
  const server = await startServer(start)
  await server.whenReady()
  const { marks, views } = await read(server)
  const found = new Map(Object.entries(marks).map(([key, { note }]) => [key, Number(note.split(' ')[0])]))
  found.set('views', Number(views[0]?.name ?? 0))
  for (const [key, change] of confirmed) {
    const last = found.get(key) ?? 0
    // an unanswered change may be saved or not
    const isOne = last === change || (isTornTold && last === asked.get(key))
    if (!isOne) trial.addLosses([`change ${change} of ${key} was confirmed, and there is ${last}`])
  }
  for (const [key, change] of found)
    if (change > 0 && !asked.has(key)) trial.addDifferences([`${key} was never changed`])
  expectQuiet(trial, server.stderr())
  if (!isTornTold && /damaged/.test(server.stderr()))
    trial.addDifferences([`a full disk left damage: ${server.stderr()}`])
  await endQuietly(trial, server)
}

interface Damaged {
  path: string
  /** Contents after the fault. */
  bytes: Buffer
}

type Kind = (path: string, trial: Trial) => void

const KINDS: Record<string, Kind> = {
  'a flipped bit in': (path, trial) => {
    const bytes = readFileSync(path)
    const at = trial.random.integer(0, bytes.length - 1)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << trial.random.integer(0, 7))
    writeFileSync(path, bytes)
  },
  'a cut in': (path, trial) => {
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.subarray(0, trial.random.integer(0, bytes.length - 1)))
  },
  'zeroes in': (path, trial) => {
    const bytes = readFileSync(path)
    const from = trial.random.integer(0, bytes.length - 1)
    writeFileSync(path, bytes.fill(0, from, Math.min(from + 512, bytes.length)))
  },
  'nothing in': (path) => writeFileSync(path, ''),
  'garbage in': (path, trial) =>
    writeFileSync(
      path,
      Buffer.from(Array.from({ length: trial.random.integer(1, 400) }, () => trial.random.integer(0, 255))),
    ),
  'the end of': (path) => rmSync(path),
  'a folder in place of': (path) => {
    rmSync(path)
    mkdirSync(path)
  },
  'a pipe in place of': (path) => {
    rmSync(path)
    execFileSync('mkfifo', [path])
  },
  'a link to itself in place of': (path) => {
    rmSync(path)
    symlinkSync(path, path)
  },
}

/** Damages several files; of a file and its copy, only one. One in eight is swapped with another file. */
function damage(trial: Trial, data: string): Damaged[] {
  const done: string[] = []
  const damaged: Damaged[] = []
  let left = filesOf(data).filter((path) => !PASSING.test(relative(data, path)))
  const takeOne = (): string => {
    const path = trial.random.pick(left)
    left = left.filter((each) => familyOf(each) !== familyOf(path))
    return path
  }
  for (let fault = 0; fault < AT_ONCE; fault += 1) {
    const path = takeOne()
    if (trial.random.next() < 1 / 8) {
      const other = takeOne()
      renameSync(path, `${path}.swapped`)
      renameSync(other, path)
      renameSync(`${path}.swapped`, other)
      done.push(`${relative(data, path)} and ${relative(data, other)} swapped`)
      damaged.push(bytesAt(data, path), bytesAt(data, other))
    } else {
      const kind = trial.random.pick(Object.keys(KINDS))
      KINDS[kind]?.(path, trial)
      done.push(`${kind} ${relative(data, path)}`)
      damaged.push(bytesAt(data, path))
    }
  }
  trial.at(done.join(', '))
  trial.addFaults(done.length)
  return damaged
}

/** `views.json` for `views.json.copy` as well. */
function familyOf(path: string): string {
  return path.replace(/\.(?:copy|before)$/, '')
}

function bytesAt(data: string, path: string): Damaged {
  const isFile = existsSync(path) && statSync(path).isFile()
  return { path: relative(data, path), bytes: isFile ? readFileSync(path) : Buffer.alloc(0) }
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

async function keysOf(server: Server): Promise<string[]> {
  const { sessions } = await server.get<{ sessions: { key: string }[] }>('/api/sessions?limit=20&sort=oldest')
  return sessions.map(({ key }) => key)
}

async function read({ get }: Server): Promise<Said> {
  const { budgets } = await get<BudgetReport>('/api/budgets')
  const { projects } = await get<{ projects: { key: string; name: string; nameSource: string }[] }>(
    '/api/projects',
  )
  const { homes, prices } = await get<Settings>('/api/settings')
  const { limits, enabled } = await get<{ limits: unknown; enabled: boolean }>('/api/keep')
  return {
    marks: (await get<MarkList>('/api/marks')).marks,
    views: (await get<ViewList>('/api/views')).views,
    budgets: budgets.map(({ usdPerMonth }) => usdPerMonth),
    projects: projects.map(({ key, name, nameSource }) => [key, name, nameSource]).sort(),
    homes: homes.map(({ ownLabel }) => ownLabel),
    prices: prices.models,
    keep: { limits, enabled },
  }
}

async function put({ port }: Server, path: string, body: object): Promise<number> {
  const origin = `http://127.0.0.1:${port}`
  const headers = { 'content-type': 'application/json', origin }
  const answer = await fetch(`${origin}${path}`, { method: 'PUT', headers, body: JSON.stringify(body) })
  await answer.text()
  return answer.status
}
