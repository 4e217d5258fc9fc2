import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Doctor,
  type Health,
  type KeepStatus,
  keepStatusSchema,
  type SessionList,
} from '@gemini-dash/api'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runProgram, startProgram } from './run-program.ts'

const SESSIONS = 12
const WAIT = { timeout: 60_000, interval: 200 }
const CAN_MOUNT = spawnSync('unshare', ['-Urm', 'true']).status === 0

let root: string
let home: string
let data: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'archive-damage-'))
  home = join(root, '.gemini')
  data = join(root, 'data')
  mkdirSync(join(home, 'tmp', 'shop', 'chats'), { recursive: true })
  for (let n = 0; n < SESSIONS; n++) writeFileSync(join(home, logOf(n)), sessionText(n))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const idOf = (n: number) => `${String(n).padStart(8, '0')}-1111-4111-8111-111111111111`
const logOf = (n: number) => `tmp/shop/chats/session-2026-11-20T10-00-${String(n).padStart(8, '0')}.jsonl`

/** Without repetitions that would be deduplicated. */
function sessionText(n: number): string {
  const rows = Array.from({ length: 200 }, (_, row) =>
    JSON.stringify({
      id: `${n}-${row}`,
      timestamp: `2026-11-20T10:${String(row % 60).padStart(2, '0')}:00.000Z`,
      type: 'user',
      content: [
        {
          text: `session ${n}, ${Math.imul(n * 1_000 + row + 1, 0x9e3779b1)} ${Math.imul(row + 7, n + 0x85ebca6b)}`,
        },
      ],
    }),
  )
  const head = JSON.stringify({ sessionId: idOf(n), projectHash: 'x', startTime: '2026-11-20T10:00:00.000Z' })
  return `${[head, ...rows].join('\n')}\n`
}

const where = () => ['--home', home, '--data-dir', data, '--cache-dir', join(root, 'cache')]
const run = (...args: string[]) => runProgram([...args, ...where()])
const archive = () => join(data, 'archive', readdirSync(join(data, 'archive'))[0] ?? '')
const deleteLogs = () =>
  Array.from({ length: SESSIONS }, (_, n) => rmSync(join(home, logOf(n)), { force: true }))

/** Two packs, as if a killed process had left the first one unfinished. */
async function keepAll(): Promise<void> {
  const later = Array.from({ length: SESSIONS / 2 }, (_, n) => join(home, logOf(n)))
  for (const path of later) rmSync(path)
  await run('keep', 'on')
  appendFileSync(join(archive(), 'packs', '000001.pack'), 'GDk\u0001half')
  for (const [n, path] of later.entries()) writeFileSync(path, sessionText(n))
  expect(await run('keep', 'now')).toMatchObject({ code: 0 })
  expect(readdirSync(join(archive(), 'packs'))).toHaveLength(2)
}

interface Told {
  list: SessionList
  status: KeepStatus
  doctor: Doctor
  codes: (number | null)[]
  stderr: string
}

/** The output of the commands, each in its own process. */
async function ask(): Promise<Told> {
  const list = await run('list', '--json')
  const status = await run('keep', 'status', '--json')
  const doctor = await run('doctor', '--json')
  return {
    list: JSON.parse(list.stdout),
    status: keepStatusSchema.parse(JSON.parse(status.stdout)),
    doctor: JSON.parse(doctor.stdout),
    codes: [list, status, doctor].map(({ code }) => code),
    stderr: list.stderr,
  }
}

const idsIn = ({ list }: Told) => list.sessions.map(({ sessionId }) => sessionId).sort()
const warningIn = ({ doctor }: Told) => doctor.warnings.find(({ code }) => code === 'archive-damaged')

test('S2: a pack that was cut: all commands tell the same number, what is whole is listed, a repair takes the rest from the home', async () => {
  await keepAll()
  deleteLogs()
  const pack = join(archive(), 'packs', '000002.pack')
  truncateSync(pack, statSync(pack).size >> 2)
  const told = await ask()
  expect(told.codes).toEqual([0, 1, 1])
  expect(told.status.damage).toMatchObject({ affected: 6, sessions: SESSIONS })
  const sentence = 'The archive is damaged: 6 of 12 sessions affected'
  expect([told.status.damage?.message, warningIn(told)?.message, told.stderr]).toEqual(
    Array.from({ length: 3 }, () => expect.stringContaining(sentence)),
  )
  expect(told.status.damagedFiles.map(({ sessionId }) => sessionId).sort()).toEqual(
    Array.from({ length: 6 }, (_, n) => idOf(n)),
  )
  expect(idsIn(told)).toEqual(Array.from({ length: 6 }, (_, n) => idOf(n + 6)))
  const status = await run('keep', 'status')
  expect(status.stderr).toContain('gemini-dash keep repair')
  expect(status.stdout).toMatch(/packs\/000002\.pack is damaged or cut at byte \d+/)

  // one is restored, five are lost
  writeFileSync(join(home, logOf(2)), sessionText(2))
  const repair = await run('keep', 'repair')
  expect(repair).toMatchObject({ code: 1, stderr: expect.stringContaining('5 versions of files are lost') })
  expect(repair.stdout).toContain(sentence)
  rmSync(join(home, logOf(2)))
  const repaired = await ask()
  expect(repaired.codes).toEqual([0, 0, 0])
  expect(repaired.status).toMatchObject({ damage: null, damaged: 0, lost: { sessions: 5, files: 5 } })
  expect(repaired.doctor.lostInArchive).toContain('5 files of 5 sessions')
  expect(idsIn(repaired)).toEqual([2, 6, 7, 8, 9, 10, 11].map(idOf))
  expect(await run('keep', 'repair')).toMatchObject({ code: 0, stdout: expect.stringContaining('is intact') })

  // a backup is restored
  for (let n = 0; n < 6; n++) writeFileSync(join(home, logOf(n)), sessionText(n))
  expect((await run('keep', 'now')).code).toBe(0)
  deleteLogs()
  const whole = await ask()
  expect(whole.status).toMatchObject({ damage: null, lost: null })
  expect(idsIn(whole)).toHaveLength(SESSIONS)
})

test('S3: a title that cannot be read hides nothing, and no words of a parser are printed', async () => {
  await run('keep', 'on')
  deleteLogs()
  const title = join(archive(), 'archive.json')
  const id = JSON.parse(readFileSync(title, 'utf8')).id
  writeFileSync(title, readFileSync(title, 'utf8').replace('"version"', '"verzion"').slice(0, 40))
  const told = await ask()
  expect(idsIn(told)).toHaveLength(SESSIONS)
  expect(told.codes).toEqual([0, 1, 1])
  expect(told.status.damage).toMatchObject({ affected: 0, sessions: SESSIONS })
  expect(`${told.stderr}${(await run('keep', 'status')).stderr}`).not.toMatch(
    /zod|invalid_type|expected|JSON/i,
  )
  expect((await run('keep', 'repair')).code).toBe(0)
  expect(JSON.parse(readFileSync(title, 'utf8'))).toMatchObject({ version: 1, id })
  expect((await ask()).codes).toEqual([0, 0, 0])

  const later = readFileSync(title, 'utf8').replace('"version":1', '"version":2')
  writeFileSync(title, later)
  for (const action of ['status', 'repair', 'now'])
    expect(await run('keep', action)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('later version'),
    })
  expect(readFileSync(title, 'utf8')).toBe(later)
})

describe('what was brought out of the archive', { timeout: 90_000 }, () => {
  /** All sessions exist only in the archive, and were listed once. */
  async function bringOut(): Promise<void> {
    await run('keep', 'on')
    deleteLogs()
    expect(JSON.parse((await run('list', '--json')).stdout).total).toBe(SESSIONS)
  }

  test.each<[string, (gone: string) => void]>([
    ['its list is removed', (gone) => rmSync(join(gone, 'gone.json'))],
    ['its list is damaged', (gone) => truncateSync(join(gone, 'gone.json'), 700)],
    ['a file of it is removed', (gone) => rmSync(join(gone, 'files', logOf(3)))],
    ['a letter in a file of it is another one', (gone) => flipLetter(join(gone, 'files', logOf(3)))],
    ['what it was made of is damaged', (gone) => flipLetter(join(gone, 'checked.json'))],
  ])('%s: it is made again, and what is shown is what was kept', async (_, spoil) => {
    await bringOut()
    spoil(join(archive(), 'gone'))
    const told = await ask()
    expect([idsIn(told).length, told.codes, told.status.damage]).toEqual([SESSIONS, [0, 0, 0], null])
    for (let n = 0; n < SESSIONS; n++)
      expect(readFileSync(join(archive(), 'gone', 'files', logOf(n)), 'utf8') === sessionText(n)).toBe(true)
  })

  test('is shown, and taken into the archive again, where that is damaged', async () => {
    await bringOut()
    rmSync(join(archive(), 'packs', '000001.pack'))
    const told = await ask()
    expect([idsIn(told).length, told.status.damage?.affected]).toEqual([SESSIONS, SESSIONS])
    expect((await run('keep', 'repair')).code).toBe(0)
    rmSync(join(archive(), 'gone'), { recursive: true })
    const repaired = await ask()
    expect([idsIn(repaired).length, repaired.status.damage, repaired.status.lost]).toEqual([
      SESSIONS,
      null,
      null,
    ])
  })
})

test('an overwritten version that could not be read for a while is shown again after a repair', {
  timeout: 90_000,
}, async () => {
  await run('keep', 'on')
  writeFileSync(join(home, logOf(0)), sessionText(0).replaceAll('"0-', '"other-').repeat(2))
  appendFileSync(join(archive(), 'packs', '000001.pack'), 'GDk\u0001half')
  await run('keep', 'now')
  deleteLogs()
  const kept = async () => {
    const { sessions }: SessionList = JSON.parse((await run('list', '--json')).stdout)
    return sessions
      .flatMap(({ files }) => files.map(({ path }) => path))
      .filter((path) => path.includes('.kept-'))
  }
  expect(await kept()).toEqual([`${logOf(0)}.kept-1`])
  const pack = join(archive(), 'packs', '000001.pack')
  const list = join(archive(), 'gone', 'gone.json')
  renameSync(pack, `${pack}.aside`)
  renameSync(list, pack)
  renameSync(`${pack}.aside`, list)
  expect((await run('list')).code).toBe(0)
  await run('keep', 'repair')
  expect(await kept()).toEqual([`${logOf(0)}.kept-1`])
})

test('a server that runs tells of it at its next look, and no more once a repair has ended', async () => {
  await run('keep', 'on')
  await run('keep', 'off')
  const server = startProgram(['serve', '--json', '--no-open', '--no-token', '--port', '0', ...where()])
  try {
    const { port }: { port: number } = JSON.parse(await server.firstLine)
    const get = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).json()
    const codes = async () => {
      await get('/api/sessions')
      return ((await get('/api/health')) as Health).warnings.map(({ code }) => code)
    }
    await expect.poll(codes, WAIT).toEqual([])
    const pack = join(archive(), 'packs', '000001.pack')
    truncateSync(pack, statSync(pack).size >> 1)
    const { damage } = (await get('/api/keep')) as KeepStatus
    expect(damage?.affected).toBeGreaterThan(0)
    // a change triggers a scan
    appendFileSync(join(home, logOf(0)), '{"$set":{"lastUpdated":"2026-11-21T20:00:00.000Z"}}\n')
    await expect.poll(codes, WAIT).toEqual(['archive-damaged'])
    expect(((await get('/api/doctor')) as Doctor).isWell).toBe(false)
    expect((await run('keep', 'repair')).code).toBe(0)
    await expect.poll(codes, WAIT).toEqual([])
    expect(((await get('/api/keep')) as KeepStatus).damage).toBeNull()
  } finally {
    server.child.kill()
    await server.finished
  }
})

describe.skipIf(!CAN_MOUNT)('S12: keep on with a full disk', { timeout: 60_000 }, () => {
  test.each([0, 4, 8, 12, 16, 24, 40, 56, 60, 64, 100])(
    'of %s kB leaves a problem that status tells',
    async (sizeKb) => {
      // tmpfs without a size has unlimited room
      const mount = `mount -t tmpfs -o size=${Math.max(4, sizeKb)}k,mode=0700 tmpfs "${data}"`
      const fill = sizeKb === 0 ? `; head -c 4096 /dev/zero > "${data}/full"` : ''
      mkdirSync(data)
      const both = [
        `${mount}${fill}`,
        '"$@" keep on $WHERE >"$ROOT/on" 2>&1; echo $? >"$ROOT/code"',
        '"$@" keep status --json $WHERE >"$ROOT/status"',
      ].join('; ')
      const started = startProgram([], { WHERE: where().join(' '), ROOT: root }, undefined, [
        'unshare',
        '-Urm',
        'bash',
        '-c',
        both,
        'bash',
      ])
      await started.finished
      const code = Number(readFileSync(join(root, 'code'), 'utf8'))
      const { enabled, problem, lastRun }: KeepStatus = JSON.parse(readFileSync(join(root, 'status'), 'utf8'))
      const said = readFileSync(join(root, 'on'), 'utf8')
      if (code === 0) expect([enabled, problem, lastRun === null]).toEqual([true, null, false])
      else {
        expect(said).toMatch(/no room|ENOSPC|no space/i)
        if (enabled) expect(problem).toMatch(/no room|no space|has finished yet/)
        else expect(existsSync(join(data, 'archive'))).toBe(false)
      }
    },
  )
})

test('a copy of the data folder on another disk tells nothing', { timeout: 90_000 }, async () => {
  await keepAll()
  deleteLogs()
  cpSync(data, `${data}-copy`, { recursive: true })
  rmSync(data, { recursive: true })
  cpSync(`${data}-copy`, data, { recursive: true })
  const told = await ask()
  expect([idsIn(told).length, told.codes, told.status.damage]).toEqual([SESSIONS, [0, 0, 0], null])
})

function flipLetter(path: string): void {
  const bytes = readFileSync(path)
  const at = bytes.length >> 1
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
  writeFileSync(path, bytes)
}
