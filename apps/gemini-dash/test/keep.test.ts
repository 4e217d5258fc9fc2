import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  appendFileSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { keepStatusSchema } from '@gemini-dash/api'
import { Archive, readVersion } from '@gemini-dash/archive'
import { findHomes } from 'gemini-sessions/node'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { ArchiveControl } from '../src/keep/archive-control.ts'
import { fixtureHome, openTestServer } from './open-test-server.ts'
import { runProgram } from './run-program.ts'

/** From util-linux: runs a program on a terminal. */
const TERMINAL = 'script'

let root: string
let home: string
let data: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'keep-'))
  home = join(root, 'copy', '.gemini')
  data = join(root, 'data')
  const fixture = fixtureHome('0.61.0')
  cpSync(join(fixture, '.gemini'), home, { recursive: true })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function openControl(): ArchiveControl {
  const homes = findHomes({ homeArguments: [home], env: {}, userHome: '/nobody' })
  const desk = new ArchiveControl({ dataFolder: data, homes, tell: () => {} })
  desk.change({ enabled: true })
  return desk
}

/** The archive, opened like another process would. */
function openArchive(): Archive {
  const [name = ''] = readdirSync(join(data, 'archive'))
  const archive = new Archive(join(data, 'archive', name))
  archive.refresh()
  return archive
}

async function keptText(path: string): Promise<string> {
  const archive = openArchive()
  const version = archive.manifest.find(path)?.versions.at(-1)
  if (version === undefined) throw new Error(`${path} is not kept`)
  const pieces: Uint8Array[] = []
  for await (const piece of readVersion(archive, version)) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

const pathsIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    lstatSync(join(folder, path)).isFile(),
  )

function write(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), text)
}

function aLog(): string {
  const found = pathsIn(home).find((path) => /chats\/session-[^/]*\.jsonl$/.test(path))
  if (found === undefined) throw new Error('the fixture has no log')
  return found
}

/** Content, times and permissions of everything in a folder. */
function fingerprint(folder: string): string {
  const hash = createHash('sha256')
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const { mtimeNs, ctimeNs, mode, ino } = lstatSync(join(folder, path), { bigint: true })
    hash.update(`${path} ${mtimeNs} ${ctimeNs} ${mode} ${ino}`)
  }
  return hash.digest('hex')
}

describe('what is kept', () => {
  test('every file that goes with sessions, byte for byte, and nothing else; the home is not touched', async () => {
    const [project = ''] = readdirSync(join(home, 'tmp')).filter(
      (name) => pathsIn(join(home, 'tmp', name)).length > 0,
    )
    const id = 'c0ffee00-0000-4000-8000-000000000000'
    const log = `tmp/${project}/chats/session-2026-11-20T10-00-c0ffee00.jsonl`
    write(
      log,
      `${JSON.stringify({ sessionId: id, projectHash: 'x', startTime: '2026-11-20T10:00:00.000Z' })}\n`,
    )
    const ours = [
      `tmp/${project}/chats/${id}/abcdef.jsonl`,
      `tmp/${project}/${id}/plans/plan.md`,
      `tmp/${project}/tool-outputs/session-${id}/read_file_1.txt`,
      `tmp/${project}/images/clipboard-1.png`,
      `tmp/${project}/checkpoint-saved.json`,
    ]
    const others = [
      'oauth_creds.json',
      `tmp/${project}/shell_history`,
      `tmp/${project}/logs/session-${id}.jsonl`,
      `tmp/${project}/of-nobody/notes.txt`,
    ]
    for (const path of [...ours, ...others]) write(path, `canary of ${path}`)
    symlinkSync(join(home, 'oauth_creds.json'), join(home, `tmp/${project}/images/clipboard-2.png`))
    const before = fingerprint(home)

    await openControl().run()

    const kept = [...openArchive().manifest.files()].map(({ path }) => path)
    for (const path of [log, ...ours])
      expect(await keptText(path)).toBe(readFileSync(join(home, path), 'utf8'))
    expect(
      pathsIn(join(home, 'tmp')).filter(
        (path) => /chats\/.*\.jsonl?$/.test(path) && !kept.includes(`tmp/${path}`),
      ),
    ).toEqual([])
    expect(kept.filter((path) => others.includes(path) || path.endsWith('clipboard-2.png'))).toEqual([])
    expect(fingerprint(home)).toBe(before)
  })

  test('a second run takes nothing, what grew, shrank or was deleted is kept and told of', async () => {
    const desk = openControl()
    await desk.run()
    const { sessions, rawBytes } = desk.status()
    expect(await desk.run()).toMatchObject([{ taken: 0, unread: 0, changing: 0, hindrance: null }])
    expect(desk.status()).toMatchObject({ sessions, rawBytes, onlyHere: 0, damaged: 0 })

    const log = aLog()
    const text = readFileSync(join(home, log), 'utf8')
    appendFileSync(join(home, log), '{"$set":{"lastUpdated":"2026-11-21T20:00:00.000Z"}}\n')
    expect(await desk.run()).toMatchObject([{ taken: 1 }])
    expect(await keptText(log)).toBe(readFileSync(join(home, log), 'utf8'))
    expect(desk.status().onlyHere).toBe(0)

    truncateSync(join(home, log), 300)
    await desk.run()
    expect(desk.status().onlyHere).toBe(1)
    expect(
      openArchive()
        .manifest.find(log)
        ?.versions.map(({ sizeBytes }) => sizeBytes),
    ).toEqual([Buffer.byteLength(text) + 52, 300])

    rmSync(join(home, 'tmp'), { recursive: true })
    mkdirSync(join(home, 'tmp'))
    await desk.run()
    expect(desk.status()).toMatchObject({ sessions, onlyHere: sessions })
    const there = [...openArchive().manifest.files()].filter(({ gone }) => gone === null)
    expect(there.filter(({ path }) => path.startsWith('tmp/'))).toEqual([])
    expect(await keptText(log)).toBe(text.slice(0, 300))
  })

  test('copies of a session in two folders are one, and one of them is enough', async () => {
    const desk = openControl()
    await desk.run()
    const { sessions } = desk.status()
    const log = aLog()
    const copy = `tmp/${'a'.repeat(64)}/chats/${log.split('/').at(-1)}`
    write(copy, readFileSync(join(home, log), 'utf8'))
    await desk.run()
    expect(desk.status()).toMatchObject({ sessions, onlyHere: 0 })
    rmSync(join(home, log))
    appendFileSync(join(home, copy), '{"$set":{"lastUpdated":"2026-11-21T20:00:00.000Z"}}\n')
    await desk.run()
    expect(desk.status()).toMatchObject({ sessions, onlyHere: 0 })
    rmSync(join(home, copy))
    await desk.run()
    expect(desk.status()).toMatchObject({ sessions, onlyHere: 1 })
  })

  test('turned off while it looks, it ends, and what it took is there', async () => {
    const desk = openControl()
    let done = 0
    await desk.run({
      onProgress: (place) => {
        done = place
        if (place === 2) desk.change({ enabled: false })
      },
    })
    expect(done).toBe(2)
    const { files, lastRun, enabled } = desk.status()
    expect({ files, lastRun, enabled }).toEqual({ files: 3, lastRun: null, enabled: false })
  })

  test('a home that is not there just now has lost nothing, and is told', async () => {
    const desk = openControl()
    await desk.run()
    rmSync(home, { recursive: true })
    await desk.run()
    expect(desk.status().homes).toEqual([{ path: home, exists: false, kept: true }])
    expect([...openArchive().manifest.files()].filter(({ gone }) => gone !== null)).toEqual([])
  })

  test('the limits of size and age: it stops, says so, and what it holds stays', async () => {
    const desk = openControl()
    desk.change({ limits: { maxAgeDays: 1, maxBytes: 4_000_000 } })
    utimesSync(join(home, aLog()), 1_700_000_000, 1_700_000_000)
    write('tmp/shop/chats/session-2026-11-20T10-00-aaaaaaaa.jsonl', '{"sessionId":"a","projectHash":"x"}\n')
    const runs = await desk.run()
    expect(runs).toMatchObject([{ hindrance: null, tooOld: 1 }])
    write('tmp/shop/images/clipboard-1.png', Buffer.from(createHash('sha512').digest()).toString('hex'))
    desk.change({ limits: { maxBytes: 1 } })
    await desk.run()
    const { problem, files, hindrance } = desk.status()
    expect([hindrance, openControl().status().hindrance]).toEqual(['limit', 'limit'])
    expect(problem).toContain('reached its limit')
    expect(openControl().status().problem).toBe(problem)
    expect(files).toBeGreaterThan(0)
    expect(await keptText('tmp/shop/chats/session-2026-11-20T10-00-aaaaaaaa.jsonl')).toContain('"a"')
    desk.change({ limits: { maxBytes: null } })
    await desk.run()
    expect(openControl().status().problem).toBeNull()
  })

  test('several at once keep each thing once', async () => {
    const runs = await Promise.all([openControl(), openControl(), openControl()].map((desk) => desk.run()))
    expect(runs.flat().map(({ hindrance }) => hindrance)).toEqual([null, null, null])
    expect(openArchive().packs.list()).toEqual([1])
    const files = [...openArchive().manifest.files()]
    expect(new Set(files.map(({ path }) => path)).size).toBe(files.length)
    expect(files.filter(({ versions }) => versions.length !== 1)).toEqual([])
  })
})

describe('the command', () => {
  const keep = (...args: string[]) => runProgram(['keep', ...args, '--home', home, '--data-dir', data])

  test('on, now, status, off, and erasing, which wants --yes where nobody can be asked', async () => {
    expect(await keep('now')).toMatchObject({ code: 1, stderr: expect.stringContaining('keep on') })
    const on = await keep('on', '--max-size', '20GB')
    expect(on).toMatchObject({ code: 0, stderr: '' })
    expect(on.stdout.split('\n')[0]).toContain(data)
    expect(on.stdout.split('\n')[1]).toMatch(/keep status --json.*keep off.*--erase/)
    const status = keepStatusSchema.parse(JSON.parse((await keep('status', '--json')).stdout))
    expect(status).toMatchObject({ enabled: true, onlyHere: 0, damaged: 0, limits: { maxBytes: 20e9 } })
    expect(status.sessions).toBeGreaterThan(0)
    expect(statSync(join(data, 'archive')).mode & 0o777).toBe(0o700)

    rmSync(join(home, aLog()))
    expect((await keep('now')).stdout).toContain('1 session or a part of one exists only here')
    expect((await keep('off')).stdout).toContain('stay in')
    expect(JSON.parse((await keep('status', '--json')).stdout)).toMatchObject({
      enabled: false,
      sessions: status.sessions,
    })
    const refused = await keep('off', '--erase')
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toMatch(/only copy[\s\S]*--yes/)
    expect(JSON.parse((await keep('status', '--json')).stdout).sessions).toBe(status.sessions)
    expect((await keep('off', '--erase', '--yes')).code).toBe(0)
    expect(readdirSync(join(data, 'archive'))).toEqual([])
    expect(JSON.parse((await keep('status', '--json')).stdout)).toMatchObject({ sessions: 0, storedBytes: 0 })
  })

  test.skipIf(spawnSync(TERMINAL, ['--version']).status !== 0)(
    'at a terminal erasing is asked twice, and anything else than both answers erases nothing',
    async () => {
      await keep('on')
      rmSync(join(home, aLog()))
      await keep('now')
      const sessions = openControl().status().sessions
      const refused = await eraseAtTerminal(['y', 'no'])
      expect(refused.code).toBe(1)
      expect(refused.text).toMatch(
        /It is the only copy of all or part of 1 session[\s\S]*Type "erase"[\s\S]*Nothing was deleted/,
      )
      expect((await eraseAtTerminal(['n'])).text).toContain('Nothing was deleted')
      expect(openControl().status().sessions).toBe(sessions)
      const erased = await eraseAtTerminal(['y', 'erase'])
      expect(erased).toMatchObject({ code: 0, text: expect.stringContaining('Deleted the archive of') })
      expect(readdirSync(join(data, 'archive'))).toEqual([])
    },
  )

  /** Answers each question with the next line, like a user at a terminal. */
  async function eraseAtTerminal(answers: string[]): Promise<{ code: number | null; text: string }> {
    const program = join(inject('program'), 'cli.js')
    const args = [process.execPath, program, 'keep', 'off', '--erase', '--home', home, '--data-dir', data]
    const child = spawn(TERMINAL, ['-qefc', args.map((word) => `'${word}'`).join(' '), '/dev/null'], {
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    let text = ''
    let asked = 0
    child.stdout.on('data', (piece) => {
      text += piece
      const questions = text.match(/\[y\/N\] |to continue: /g)?.length ?? 0
      for (; asked < questions; asked++) child.stdin.write(`${answers[asked]}\n`)
    })
    const [code] = await once(child, 'close')
    return { code, text }
  }

  test('status names what is damaged, and a look stores it again while it is still in the home', async () => {
    await keep('on')
    const packs = join(data, 'archive', readdirSync(join(data, 'archive'))[0] ?? '', 'packs')
    const pack = join(packs, readdirSync(packs)[0] ?? '')
    const bytes = readFileSync(pack)
    bytes.writeUInt8(bytes.readUInt8(5_000) ^ 1, 5_000)
    writeFileSync(pack, bytes)
    const status = keepStatusSchema.parse(JSON.parse((await keep('status', '--json')).stdout))
    expect(status.damaged).toBeGreaterThan(0)
    expect(status.damagedFiles.length).toBeGreaterThan(0)
    expect((await keep('status')).stdout).toContain(status.damagedFiles[0]?.path ?? 'nothing')
    expect((await keep('now')).code).toBe(0)
    const after = keepStatusSchema.parse(JSON.parse((await keep('status', '--json')).stdout))
    expect(after.damagedFiles).toEqual([])
  })

  test('a home that came since is kept when it is asked for; the other one goes on being kept', async () => {
    await keep('on')
    const second = join(root, 'second', '.gemini')
    mkdirSync(join(second, 'tmp'), { recursive: true })
    const text = readFileSync(join(home, aLog()), 'utf8')
    appendFileSync(join(home, aLog()), '{"$set":{"lastUpdated":"2026-11-21T20:00:00.000Z"}}\n')
    expect(await keep('now', '--home', second)).toMatchObject({ code: 0, stderr: '' })
    expect((await keptText(aLog())).length).toBe(text.length + 52)
    expect((await keep('status', '--home', second)).stdout).toContain(`The archive is on only for ${home};`)
  })

  test.each([
    [['sometimes'], 'There is no "keep sometimes"'],
    [['on', '--erase'], '--erase belongs to "keep off"'],
    [['off', '--yes'], '--yes goes with --erase'],
    [['on', '--max-size', 'much'], '--max-size: "much" is not a size'],
    [['on', '--no-cache'], 'With --no-cache nothing is written'],
    [['constructor'], 'There is no "keep constructor"'],
  ])('keep %s is refused', async (args, sentence) => {
    const { code, stderr } = await keep(...args)
    expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)])
    expect(readdirSync(root)).toEqual(['copy'])
  })
})

test('the server keeps what changes while it runs, once it is turned on', async () => {
  const server = await openTestServer({ home, isWatching: true })
  data = server.dataFolder
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
      method,
      headers: {
        cookie: server.cookie,
        origin: `http://127.0.0.1:${server.port}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, answer: await answer.json() }
  }
  try {
    server.keeper.follow(server.store, server.lookAgain)
    expect((await ask('GET', '/api/keep')).answer).toMatchObject({
      enabled: false,
      sessions: 0,
      schemaVersion: 1,
    })
    expect((await ask('POST', '/api/keep/now', {})).status).toBe(503)
    expect((await ask('PUT', '/api/keep', { enabled: 'yes' })).status).toBe(400)
    expect((await ask('PUT', '/api/keep', { enabled: true })).answer).toMatchObject({ enabled: true })
    const told: unknown[] = []
    // the last request may come while the server ends
    const tell = ({ running }: { running: unknown }) => void told.push(running)
    server.keeper.subscribe(() => void server.keeper.status().then(tell, () => {}))
    const { answer } = await ask('POST', '/api/keep/now', {})
    const { sessions } = keepStatusSchema.parse(answer)
    expect(sessions).toBeGreaterThan(0)
    // each event is recorded with the status at that time, which the answer does not wait for
    await expect.poll(() => told.at(-1)).toBeNull()
    expect(told).toContainEqual({ waiting: false, done: 0, total: expect.any(Number) })
    const log = aLog()
    const line = '{"$set":{"lastUpdated":"2026-11-21T20:00:00.000Z"}}\n'
    appendFileSync(join(home, log), line)
    await expect.poll(() => keptText(log), { interval: 200 }).toBe(readFileSync(join(home, log), 'utf8'))
    told.length = 0
    rmSync(join(home, log))
    expect((await ask('POST', '/api/keep/now', {})).answer).toMatchObject({ onlyHere: 1 })
    await expect.poll(() => told.length).toBeGreaterThan(0)
    expect((await ask('PUT', '/api/keep', { erase: true })).answer).toMatchObject({
      enabled: false,
      files: 0,
      running: null,
    })
    expect(readdirSync(join(data, 'archive'))).toEqual([])
  } finally {
    await server.close()
  }
})
