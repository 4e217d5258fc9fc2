import { createHash } from 'node:crypto'
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import zlib from 'node:zlib'
import { type SeededRandom, seededRandom } from '../../fixtures/seeded-random.ts'
import type { Doctor, KeepStatus, SessionList } from '../../packages/api/src/index.ts'
import { Archive, readVersion } from '../../packages/archive/src/index.ts'
import { unpackNotes } from '../../packages/archive/src/manifest.ts'
import type { FaultPart } from '../fault-part.ts'
import { expectQuiet } from '../oracle/expect-healthy-end.ts'
import { foldersIn, runCommand, type Start } from '../program/start-server.ts'
import type { Trial } from '../trial.ts'

const BOUNDED_FAULTS = 4
/** For each generated archive. */
const FAULTS_PER_ARCHIVE = 25
const PROJECTS = ['shop', 'tools', 'web']
const SESSIONS = 12

/** Which sessions are deleted from the Gemini folder. */
type Deleted = 'all' | 'half' | 'none'

export const damagedArchive: FaultPart = {
  name: 'damaged-archive',
  does: 'R39, R40, R41: any file of an archive is damaged, cut, removed, swapped or doubled, or whoever writes to it is killed or has a full disk: what is whole is shown, what is not is told, and a repair brings back what it can',
  needs: ['linux', 'user namespace'],
  run: async (trial) => {
    let faults = 0
    const isEnough = () => trial.isBounded && faults >= BOUNDED_FAULTS
    for (let run = trial.seed; !isEnough() && trial.hasTime(); run += 1) {
      const base = await makeBase(trial, run)
      for (let fault = 0; fault < FAULTS_PER_ARCHIVE && !isEnough(); fault += 1) {
        if (fault > 0 && !trial.isBounded && !trial.hasTime()) break
        faults += 1
        await tryFault(trial, base, seededRandom(run * 1_000 + fault))
      }
    }
  },
}

interface Base {
  start: Start
  /** Location of untouched copies of the Gemini folder and data. */
  saved: string
  /** Every version of every archived file, by its listed path: `path` or `path.kept-n`. */
  truth: Map<string, { recipe: string[]; content: Buffer }[]>
  /** Files of sessions that are listed but no longer in the Gemini folder, with their contents. */
  listed: Map<string, Buffer>
}

/** A Gemini folder whose sessions grew, were overwritten and were deleted, with its archive of several packs. */
async function makeBase(trial: Trial, seed: number): Promise<Base> {
  const folder = trial.newFolder()
  const start = { program: trial.program, ...foldersIn(folder) }
  const random = seededRandom(seed)
  trial.at('an archive is made')
  writeSessions(start.home, random)
  await runKeep(trial, start, 'on')
  const logs = sessionFiles(start.home)
  for (let look = 0; look < 3; look += 1) {
    leaveTorn(start.data, random)
    for (const log of logs) if (random.next() < 0.4) appendFileSync(log, turns(random, random.integer(1, 30)))
    for (const log of logs.slice(0, 3)) if (random.next() < 0.5) writeFileSync(log, session(random, log))
    await runKeep(trial, start, 'now')
  }
  const deleted = random.pick<Deleted>(['all', 'all', 'half', 'none'])
  for (const [place, log] of logs.entries())
    if (deleted === 'all' || (deleted === 'half' && place % 2 === 0)) rmSync(log)
  await runKeep(trial, start, 'now')
  const saved = join(folder, 'saved')
  save(start, saved)
  const truth = await readTruth(start.data)
  deleteSessions(start.home)
  const listed = await listFiles(trial, start)
  if (listed.size < SESSIONS)
    trial.addDifferences([`of ${SESSIONS} sessions only ${listed.size} files are listed`])
  return { start, saved, truth, listed }
}

async function tryFault(trial: Trial, base: Base, random: SeededRandom): Promise<void> {
  const { start } = base
  restore(base)
  const done = await random.pick(FAULTS)(start, random)
  trial.at(done)
  trial.addFaults()
  const seen = new Map(sessionFiles(start.home).map((log) => [relative(start.home, log), readFileSync(log)]))
  await expectTold(trial, { ...base, seen, expected: survivors(base, seen, false) })
  const expected = survivors(base, seen, true)
  const repair = await runCommand(start, ['keep', 'repair', '--json'])
  expectQuiet(trial, repair.stderr)
  trial.at(`${done}, repaired`)
  await expectRepaired(trial, { ...base, seen, expected }, random)
}

interface Faulty extends Base {
  /** Contents of the Gemini folder after the fault. */
  seen: ReadonlyMap<string, Buffer>
  /** Hashes of contents that are intact somewhere. */
  expected: ReadonlySet<string>
}

/** Before a repair: expects no wrong content, no missing intact content, and consistent reports and counts of what is missing. */
async function expectTold(trial: Trial, faulty: Faulty): Promise<void> {
  const { start, listed } = faulty
  const { files, told: toldByList } = await listAll(trial, start)
  const missing = compare(trial, faulty, files)
  const { code, status } = await statusOf(trial, start)
  const doctor = await runCommand(start, ['doctor', '--json'])
  const report: Doctor = JSON.parse(doctor.stdout)
  const told = report.warnings.find(({ code }) => code === 'archive-damaged')
  const affected = status.damage?.affected ?? 0
  if (missing.size > affected)
    trial.addLosses([
      `${missing.size} of ${listed.size} are not shown as they were, and ${affected} are told: ${[...missing].slice(0, 3).join(', ')}`,
    ])
  const isDamaged = status.damage !== null
  if (code !== (isDamaged ? 1 : 0))
    trial.addDifferences([`keep status ended with ${code}, damage ${isDamaged}`])
  if (told?.message !== status.damage?.message)
    trial.addDifferences([`doctor tells "${told?.message}", keep status "${status.damage?.message}"`])
  if (isDamaged && (doctor.code !== 1 || !toldByList.includes(status.damage?.message ?? '')))
    trial.addDifferences([`doctor ended with ${doctor.code}, list told: ${toldByList}`])
}

/** After a repair: expects no reported damage, losses to be reported, and everything else to be available without the Gemini folder. */
async function expectRepaired(trial: Trial, faulty: Faulty, random: SeededRandom): Promise<void> {
  const { start, listed } = faulty
  const { code, status } = await statusOf(trial, start)
  if (status.damage !== null || code !== 0)
    trial.addDifferences([`keep status ended with ${code}, and tells: ${status.damage?.message}`])
  if (random.next() < 0.3) await expectNothingToRepair(trial, start)
  deleteSessions(start.home)
  const missing = compare(trial, faulty, await listFiles(trial, start))
  const lost = status.lost?.sessions ?? 0
  if (missing.size > lost)
    trial.addLosses([
      `${missing.size} of ${listed.size} are not shown as they were, ${lost} are lost: ${[...missing].slice(0, 3).join(', ')}`,
    ])
}

async function expectNothingToRepair(trial: Trial, start: Start): Promise<void> {
  const { code, stdout } = await runCommand(start, ['keep', 'repair', '--json'])
  const { repairs }: { repairs: { before: unknown; lost: unknown[] }[] } = JSON.parse(stdout)
  if (code !== 0 || repairs.some(({ before, lost }) => before !== null || lost.length > 0))
    trial.addDifferences([`a second repair ended with ${code}: ${stdout.slice(0, 300)}`])
}

/** Sessions in which something differs from before the fault. */
function compare(
  trial: Trial,
  { start, listed, truth, seen, expected }: Faulty,
  now: ReadonlyMap<string, Buffer>,
): Set<string> {
  const missing = new Set<string>()
  for (const [path, content] of now) {
    const isKnown = (truth.get(originalOf(path)) ?? []).some((version) => version.content.equals(content))
    if (!isKnown && !startsWith(seen.get(path), content))
      trial.addLosses([`${path} is shown with what it never held`])
  }
  for (const [path, content] of listed) {
    // files in the Gemini folder take precedence
    const isInHome = existsSync(join(start.home, path)) || now.get(originalOf(path))?.equals(content) === true
    if (isInHome || startsWith(now.get(path), content)) continue
    missing.add(originalOf(path))
    if (expected.has(hashOf(content))) trial.addLosses([`${path} is whole, and not shown`])
  }
  return missing
}

function startsWith(bytes: Buffer | undefined, beginning: Buffer): boolean {
  return bytes?.subarray(0, beginning.length).equals(beginning) === true
}

/**
 * Hashes of contents of which every byte survives: in the Gemini folder, extracted, or in chunks of packs. `isAnywhere`: in any file of the
 * archive, as a repair finds them; otherwise only in the right place.
 */
function survivors({ start, truth }: Base, seen: Faulty['seen'], isAnywhere: boolean): Set<string> {
  const archive = archiveIn(start.data)
  const chunks = new Set<string>()
  const files = new Set<string>()
  for (const name of filesIn(archive)) {
    const bytes = readFileSync(join(archive, name))
    const isPack = isAnywhere
      ? bytes.subarray(0, 12).toString() === 'gemini-dash '
      : /^packs.*\.pack$/.test(name)
    if (isPack) for (const chunk of chunksIn(bytes)) chunks.add(hashOf(chunk))
    if (isAnywhere) files.add(hashOf(bytes))
    else if (name.startsWith(GONE)) files.add(`${name.slice(GONE.length)} ${hashOf(bytes)}`)
  }
  return new Set(
    [...truth].flatMap(([path, versions]) =>
      versions
        .filter(
          ({ content, recipe }) =>
            files.has(hashOf(content)) ||
            files.has(`${path} ${hashOf(content)}`) ||
            startsWith(seen.get(path), content) ||
            recipe.every((hash) => chunks.has(hash)),
        )
        .map(({ content }) => hashOf(content)),
    ),
  )
}

const GONE = join('gone', 'files', '/')
const MAGIC = Buffer.from('GDk\u0001', 'latin1')

/** Contents of every intact record, wherever it is: based on the format's description, independent of the program's reader. */
function chunksIn(pack: Buffer): Buffer[] {
  const chunks: Buffer[] = []
  for (let at = pack.indexOf(MAGIC); at !== -1; at = pack.indexOf(MAGIC, at + 1)) {
    const head = pack.subarray(at, at + 36)
    if (head.length < 36 || zlib.crc32(head.subarray(0, 32)) !== head.readUInt32LE(32)) continue
    const body = pack.subarray(at + 36, at + 36 + head.readUInt32LE(12))
    const seal = createHash('sha256').update(body).digest().subarray(0, 16)
    if (!seal.equals(head.subarray(16, 32))) continue
    if (head[4] === 2)
      chunks.push(
        ...unpackNotes(body).flatMap((note) => (note.kind === 'added' ? [Buffer.from(note.text)] : [])),
      )
    if (head[4] !== 1) continue
    const count = body.readUInt32LE(0)
    const stored = body.subarray(4 + count * 36)
    const content = head[5] === 0 ? stored : unpack(head[5] ?? 0, stored)
    let start = 0
    for (let chunk = 0; chunk < count; chunk += 1) {
      const sizeBytes = body.readUInt32LE(4 + chunk * 36 + 32)
      chunks.push(content.subarray(start, start + sizeBytes))
      start += sizeBytes
    }
  }
  return chunks
}

function unpack(codec: number, stored: Buffer): Buffer {
  if (codec === 1) return zlib.brotliDecompressSync(stored)
  return (zlib as unknown as { zstdDecompressSync: (bytes: Buffer) => Buffer }).zstdDecompressSync(stored)
}

type Fault = (start: Start, random: SeededRandom) => string | Promise<string>

/** A file of the archive, except the lock. */
function pickFile({ data }: Start, random: SeededRandom): string {
  const archive = archiveIn(data)
  // packs are many of the files and most of the bytes
  const files = filesIn(archive)
  const kind = random.pick([/\.pack$/, /^index/, /^archive\.json$/, /^gone/, /./])
  const chosen = files.filter((name) => kind.test(name))
  return join(archive, random.pick(chosen.length > 0 ? chosen : files))
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/archive/') + '/archive/'.length + 17)

const flip: Fault = (start, random) => {
  const path = pickFile(start, random)
  const bytes = readFileSync(path)
  if (bytes.length === 0) return `${nameOf(path)} is empty`
  const at = random.integer(0, bytes.length - 1)
  const bit = random.integer(0, 7)
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at)
  writeFileSync(path, bytes)
  return `bit ${bit} of byte ${at} of ${nameOf(path)} is flipped`
}

const cut: Fault = (start, random) => {
  const path = pickFile(start, random)
  const to = random.integer(0, Math.max(0, statSync(path).size - 1))
  truncateSync(path, to)
  return `${nameOf(path)} is cut to ${to} bytes`
}

const zero: Fault = (start, random) => {
  const path = pickFile(start, random)
  const bytes = readFileSync(path)
  const at = random.integer(0, Math.max(0, bytes.length - 1))
  bytes.fill(0, at, Math.min(bytes.length, at + 4_096))
  writeFileSync(path, bytes)
  return `4 kB from byte ${at} of ${nameOf(path)} are zeros`
}

const remove: Fault = (start, random) => {
  const path = pickFile(start, random)
  rmSync(path)
  return `${nameOf(path)} is removed`
}

const swap: Fault = (start, random) => {
  const [one, other] = [pickFile(start, random), pickFile(start, random)]
  renameSync(one, `${one}.between`)
  if (one !== other) renameSync(other, one)
  renameSync(`${one}.between`, other)
  return `${nameOf(one)} and ${nameOf(other)} are swapped`
}

const double: Fault = (start, random) => {
  const path = pickFile(start, random)
  const packs = readdirSync(join(archiveIn(start.data), 'packs'))
  const isPack = path.endsWith('.pack')
  const next = String(packs.length + 1).padStart(6, '0')
  const place = isPack
    ? join(dirname(path), random.pick([`${next}.pack`, ...packs]))
    : random.pick([`${path}.copy`, pickFile(start, random)])
  if (place !== path) copyFileSync(path, place)
  return `${nameOf(path)} is copied to ${nameOf(place)}`
}

/** Gives the archive something to do. */
function goOn({ home }: Start, random: SeededRandom): void {
  for (const log of sessionFiles(home)) if (random.next() < 0.5) appendFileSync(log, turns(random, 20))
  writeFileSync(
    join(home, 'tmp', 'shop', 'chats', `session-2026-11-22T10-00-${random.hex(8)}.jsonl`),
    session(random, ''),
  )
}

const kill: Fault = async (start, random) => {
  const action = random.pick(['now', 'repair', 'on'])
  const damaged = action === 'repair' ? `${await cut(start, random)}, ` : ''
  if (action !== 'repair') goOn(start, random)
  const ms = random.integer(100, 900)
  const before = `exec timeout -s KILL ${ms / 1_000} "$@"`
  await runCommand({ ...start, before }, ['keep', action])
  return `${damaged}keep ${action} is killed after ${ms} ms`
}

const fullDisk: Fault = async (start, random) => {
  goOn(start, random)
  const action = random.pick(['now', 'repair'])
  const roomKb = random.integer(0, 64)
  const aside = `${start.data}-aside`
  const usedKb = filesIn(start.data).reduce(
    (sum, name) => sum + Math.ceil(statSync(join(start.data, name)).size / 4_096) * 4,
    0,
  )
  const script = [
    `cp -a "${start.data}" "${aside}"`,
    `mount -t tmpfs -o size=${usedKb + roomKb}k,mode=0700 tmpfs "${start.data}"`,
    `cp -a "${aside}/." "${start.data}/" || exit 99`,
    'rc=0; "$@" || rc=$?',
    `rm -rf "${aside}"; cp -a "${start.data}" "${aside}"`,
    'exit $rc',
  ].join('; ')
  const damaged = action === 'repair' ? `${await cut(start, random)}, ` : ''
  await runCommand({ ...start, before: `exec unshare -Urm bash -c '${script}' bash "$@"` }, ['keep', action])
  rmSync(start.data, { recursive: true, force: true })
  renameSync(aside, start.data)
  return `${damaged}keep ${action} with ${roomKb} kB of room`
}

const FAULTS: readonly Fault[] = [
  flip,
  flip,
  flip,
  cut,
  cut,
  zero,
  zero,
  remove,
  swap,
  double,
  kill,
  fullDisk,
]

interface KeepAnswer {
  code: number | null
  status: KeepStatus
}

async function statusOf(trial: Trial, start: Start): Promise<KeepAnswer> {
  const { code, stdout, stderr } = await runCommand(start, ['keep', 'status', '--json'])
  expectQuiet(trial, stderr)
  return { code, status: JSON.parse(stdout) }
}

async function runKeep(trial: Trial, start: Start, action: string): Promise<void> {
  const { code, stderr } = await runCommand(start, ['keep', action])
  if (code !== 0) trial.addDifferences([`keep ${action} ended with ${code}: ${stderr.slice(0, 500)}`])
}

async function listFiles(trial: Trial, start: Start): Promise<Map<string, Buffer>> {
  return (await listAll(trial, start)).files
}

/** Every file of the listed sessions with its bytes, and the warnings. */
async function listAll(trial: Trial, start: Start): Promise<{ files: Map<string, Buffer>; told: string }> {
  const { code, stdout, stderr } = await runCommand(start, [
    'list',
    '--json',
    '--kind',
    'all',
    '--limit',
    '1000',
  ])
  expectQuiet(trial, stderr)
  if (code !== 0) {
    trial.addDifferences([`list ended with ${code}: ${stderr.slice(0, 500)}`])
    return { files: new Map(), told: stderr }
  }
  const { sessions }: SessionList = JSON.parse(stdout)
  const places = placesOfKept(start.data)
  const files = sessions.flatMap((session) => session.files)
  const bytesOf = ({ path, kept }: (typeof files)[number]) =>
    readFileSync(kept === undefined ? join(start.home, path) : (places.get(path) ?? ''))
  return { files: new Map(files.map((file) => [file.path, bytesOf(file)])), told: stderr }
}

/** Where extracted files of the archive are read from. */
function placesOfKept(data: string): Map<string, string> {
  const folder = join(archiveIn(data), 'gone')
  if (!existsSync(join(folder, 'gone.json'))) return new Map()
  const text = readFileSync(join(folder, 'gone.json'), 'utf8')
  const { entries }: { entries: { path: string; place: string }[] } = JSON.parse(
    text.slice(text.indexOf('{')),
  )
  return new Map(entries.map(({ path, place }) => [path, join(folder, 'files', place)]))
}

async function readTruth(data: string): Promise<Base['truth']> {
  const archive = new Archive(archiveIn(data))
  archive.refresh()
  const truth: Base['truth'] = new Map()
  for (const { path, versions } of archive.manifest.files()) {
    const known: { recipe: string[]; content: Buffer }[] = []
    for (const version of versions) {
      const pieces: Uint8Array[] = []
      for await (const piece of readVersion(archive, version)) pieces.push(piece)
      known.push({
        recipe: pieces.map((piece) => hashOf(Buffer.from(piece))),
        content: Buffer.concat(pieces),
      })
    }
    truth.set(path, known)
  }
  return truth
}

/** Simulates a process killed while writing a record: the next one starts a new pack. */
function leaveTorn(data: string, random: SeededRandom): void {
  const packs = join(archiveIn(data), 'packs')
  const last = readdirSync(packs).sort().at(-1)
  if (last !== undefined && random.next() < 0.7) appendFileSync(join(packs, last), 'GDk\u0001half a record')
}

function writeSessions(home: string, random: SeededRandom): void {
  for (let place = 0; place < SESSIONS; place += 1) {
    const chats = join(home, 'tmp', PROJECTS[place % PROJECTS.length] ?? '', 'chats')
    mkdirSync(chats, { recursive: true })
    const id = random.uuid()
    const log = join(
      chats,
      `session-2026-11-${String(place + 1).padStart(2, '0')}T10-00-${id.slice(0, 8)}.jsonl`,
    )
    writeFileSync(log, session(random, log))
  }
}

/** An overwritten session keeps its id. */
function session(random: SeededRandom, log: string): string {
  const known = existsSync(log) ? /"sessionId":"([^"]+)"/.exec(readFileSync(log, 'utf8'))?.[1] : undefined
  const head = { sessionId: known ?? random.uuid(), projectHash: 'x', startTime: '2026-11-20T10:00:00.000Z' }
  return `${JSON.stringify(head)}\n${turns(random, random.integer(20, 400))}`
}

function turns(random: SeededRandom, count: number): string {
  return Array.from({ length: count }, () => {
    const content = [{ text: `go on with ${random.hex(40)} and then ${random.hex(20)}` }]
    return `${JSON.stringify({ id: random.uuid(), timestamp: '2026-11-20T10:00:01.000Z', type: 'user', content })}\n`
  }).join('')
}

function sessionFiles(home: string): string[] {
  return filesIn(home)
    .filter((name) => /\/chats\/session-/.test(name))
    .sort()
    .map((name) => join(home, name))
}

function deleteSessions(home: string): void {
  for (const log of sessionFiles(home)) rmSync(log)
}

function save({ home, data }: Start, saved: string): void {
  for (const folder of [home, data])
    cpSync(folder, join(saved, basename(folder)), { recursive: true, preserveTimestamps: true })
}

function restore({ start: { home, data }, saved }: Base): void {
  for (const folder of [home, data]) {
    rmSync(folder, { recursive: true, force: true })
    cpSync(join(saved, basename(folder)), folder, { recursive: true, preserveTimestamps: true })
  }
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  )
}

function archiveIn(data: string): string {
  const parent = join(data, 'archive')
  return join(parent, readdirSync(parent)[0] ?? 'none')
}

function originalOf(path: string): string {
  return path.replace(/\.kept-\d+$/, '')
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
