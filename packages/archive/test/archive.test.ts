import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs, {
  appendFileSync,
  closeSync,
  fstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { crc32 } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  Archive,
  ArchiveWriter,
  DamagedContent,
  forgetFiles,
  type KeptVersion,
  LimitReached,
  readVersion,
  UnknownCodec,
} from '../src/index.ts'
import { addedChunk } from '../src/manifest.ts'
import { takePath } from './take-path.ts'

const NOW = '2026-11-24T09:00:00.000Z'
const NOW_MS = Date.parse(NOW)
/** `ARCHIVE_APPENDS=1000` and `ARCHIVE_KILLS=50` for the full run. */
const APPENDS = Number(process.env.ARCHIVE_APPENDS ?? 60)
const KILLS = Number(process.env.ARCHIVE_KILLS ?? 4)
const NO_LIMIT = Number.POSITIVE_INFINITY

let root: string
let folder: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'archive-'))
  folder = join(root, 'archive')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** Lines as in a log: compressible and unique. */
function logLines(count: number, seed = 'a'): string {
  return Array.from({ length: count }, (_, n) => {
    const text = `${seed} ${n} ${'the quick brown fox jumps over the lazy dog '.repeat(n % 7)}${Math.imul(n + 1, 0x9e3779b1)}`
    return `${JSON.stringify({ id: `${seed}-${n}`, type: 'user', content: text })}\n`
  }).join('')
}

interface TakeOptions {
  isLog?: boolean
  isCertain?: boolean
  maxBytes?: number
}

async function take(
  paths: string[],
  { isLog = true, isCertain = false, maxBytes = NO_LIMIT }: TakeOptions = {},
  archive = new Archive(folder),
) {
  const writer = new ArchiveWriter(archive, { maxBytes, nowMs: NOW_MS })
  try {
    for (const path of paths) await takePath(writer, path, { isLog, isCertain })
    await writer.commit()
  } catch (error) {
    if (error instanceof LimitReached) await writer.commitStored()
    throw error
  } finally {
    await writer.close(NOW_MS)
  }
  return archive
}

async function contentOf(archive: Archive, path: string, version?: KeptVersion): Promise<string> {
  const chosen = version ?? archive.manifest.find(path)?.versions.at(-1)
  if (chosen === undefined) throw new Error(`${path} is not kept`)
  const pieces: Uint8Array[] = []
  for await (const piece of readVersion(archive, chosen)) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

/** As opened by another process, or without an index. */
function reopen({ isIndexLost = false } = {}): Archive {
  if (isIndexLost) for (const name of ['index', 'index.copy']) rmSync(join(folder, name), { force: true })
  const archive = new Archive(folder)
  archive.refresh()
  return archive
}

function write(name: string, content: string | Buffer): string {
  const path = join(root, name)
  writeFileSync(path, content)
  return path
}

const lastPack = () => join(folder, 'packs', readdirSync(join(folder, 'packs')).sort().at(-1) ?? '')

describe('an archive', () => {
  it('gives back what was put into it, also after its index is lost, and is for this user only', async () => {
    const small = write('small', 'a few words')
    const empty = write('empty', '')
    const large = write('large', logLines(20_000))
    const binary = write('binary', randomBytes(300_000))
    await take([small, empty, large, binary])
    for (const archive of [reopen(), reopen({ isIndexLost: true })]) {
      expect(await contentOf(archive, small)).toBe('a few words')
      expect(await contentOf(archive, empty)).toBe('')
      expect((await contentOf(archive, large)) === readFileSync(large, 'utf8')).toBe(true)
      expect((await contentOf(archive, binary)) === readFileSync(binary).toString()).toBe(true)
    }
    for (const path of [folder, join(folder, 'packs')]) expect(statSync(path).mode & 0o777).toBe(0o700)
    for (const path of [join(folder, 'archive.json'), lastPack()])
      expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('stores nothing twice: not a copy, not what a changed file has in common with what it was', async () => {
    const text = logLines(20_000)
    const first = write('first', text)
    const one = (await take([first])).storedBytes()
    const copy = write('copy', text)
    const middle = text.length >> 1
    const changed = write('changed', `${text.slice(0, middle)}a word more${text.slice(middle)}`)
    const archive = await take([copy, changed])
    expect(archive.storedBytes() - one).toBeLessThan(text.length * 0.05)
    expect((await contentOf(archive, changed)) === readFileSync(changed, 'utf8')).toBe(true)
  })

  it('many small files lie in one pack', async () => {
    const paths = Array.from({ length: 300 }, (_, n) => write(`small-${n}`, logLines(3, `s${n}`)))
    const archive = await take(paths)
    expect(readdirSync(join(folder, 'packs'))).toHaveLength(1)
    expect(await contentOf(archive, paths[299] ?? '')).toBe(logLines(3, 's299'))
  })

  it.each([
    ['a short line', (n: number) => logLines(1, `appended ${n}`)],
    ['several lines', (n: number) => logLines(40, `appended ${n}`)],
    [
      'a line in another script',
      (n: number) => `{"id":"${n}","type":"user","content":"これは${n}回目の返事です"}\n`,
    ],
  ])('a log that grows again and again by %s costs less than twice what was added to it', async (_, more) => {
    const log = write('log', logLines(20_000))
    const before = (await take([log])).packs.sizeBytes()
    const sizeBefore = statSync(log).size
    const taking = new Archive(folder)
    for (let n = 0; n < APPENDS; n++) {
      appendFileSync(log, more(n))
      await take([log], {}, taking)
    }
    for (const archive of [reopen(), reopen({ isIndexLost: true })]) {
      expect(archive.packs.sizeBytes() - before).toBeLessThan(2 * (statSync(log).size - sizeBefore))
      expect((await contentOf(archive, log)) === readFileSync(log, 'utf8')).toBe(true)
      expect(archive.manifest.find(log)?.versions).toHaveLength(1)
    }
  })

  it('what a log grew by a little is found out when it is damaged, and stored again', async () => {
    const log = write('log', logLines(2_000))
    await take([log])
    for (let n = 0; n < 3; n++) {
      appendFileSync(log, logLines(1, `appended ${n}`))
      await take([log])
      reopen().saveIndex()
    }
    const bytes = readFileSync(lastPack())
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 200) ^ 1, bytes.length - 200)
    writeFileSync(lastPack(), bytes)
    const archive = reopen()
    archive.prove(NOW_MS)
    expect(archive.damagedVersions().map(({ file }) => file.path)).toEqual([log])
    for (const isIndexLost of [false, true]) {
      const mended = await take([log], {}, reopen({ isIndexLost }))
      expect((await contentOf(mended, log)) === readFileSync(log, 'utf8')).toBe(true)
    }
  })

  it('what stands in the note of a forgotten file stays where another file holds it, too', async () => {
    const log = write('log', logLines(2_000))
    await take([log])
    const [secret, line] = [logLines(1, 'secret'), logLines(1, 'common')]
    for (const text of [secret, line]) {
      appendFileSync(log, text)
      await take([log])
    }
    const other = write('other', line)
    const id = (await take([other])).manifest.find(log)?.id ?? 0
    await forgetFiles(reopen(), [id])
    const archive = reopen()
    expect([...archive.manifest.files()].map(({ path }) => path)).toEqual([other])
    expect(await contentOf(archive, other)).toBe(line)
    await expect(
      contentOf(archive, log, {
        sizeBytes: secret.length,
        recipe: addedChunk({ text: secret }).recipe,
        firstSeen: NOW,
        replaced: null,
        lost: null,
      }),
    ).rejects.toThrow(DamagedContent)
  })

  it('what was overwritten or became shorter stays beside what came after', async () => {
    const log = write('log', logLines(5_000))
    await take([log])
    writeFileSync(log, logLines(2_000, 'another'))
    await take([log])
    truncateSync(log, 1_000)
    const archive = await take([log])
    const versions = archive.manifest.find(log)?.versions ?? []
    const contents = await Promise.all(versions.map((version) => contentOf(archive, log, version)))
    const another = logLines(2_000, 'another')
    expect(contents.map((content) => content.length)).toEqual([logLines(5_000).length, another.length, 1_000])
    expect(contents[0] === logLines(5_000) && contents[1] === another).toBe(true)
    expect(versions.map(({ replaced }) => replaced)).toEqual([NOW, NOW, null])
  })

  it('a log changed in its middle while it grew is found out when it is read as a whole', async () => {
    const text = logLines(20_000)
    const log = write('log', text)
    await take([log])
    const changed = text.replace('a-10000', 'X-10000') + logLines(10, 'more')
    const descriptor = openSync(log, 'r+')
    const inode = fstatSync(descriptor).ino
    closeSync(descriptor)
    writeFileSync(log, changed)
    expect(statSync(log).ino).toBe(inode)
    const assumed = await take([log])
    expect(assumed.manifest.find(log)?.isAssumed).toBe(true)
    const archive = await take([log], { isCertain: true })
    expect(archive.manifest.find(log)?.isAssumed).toBe(false)
    expect((await contentOf(archive, log)) === changed).toBe(true)
  })

  it('a torn end counts for nothing, and what comes next is kept behind it', async () => {
    const first = write('first', logLines(3_000))
    const second = write('second', logLines(3_000, 'b'))
    await take([first])
    const whole = statSync(lastPack()).size
    await take([second])
    for (const cut of [whole + 1, whole + 20, whole + 500, statSync(lastPack()).size - 1]) {
      truncateSync(lastPack(), cut)
      const torn = reopen({ isIndexLost: true })
      expect(await contentOf(torn, first)).toBe(logLines(3_000))
      expect(torn.manifest.find(second)).toBeNull()
      torn.prove(NOW_MS)
      expect(torn.places()).toEqual([])
      const archive = await take([second])
      expect(await contentOf(archive, second)).toBe(logLines(3_000, 'b'))
      expect(await contentOf(reopen({ isIndexLost: true }), second)).toBe(logLines(3_000, 'b'))
      rmSync(lastPack())
    }
  })

  it.each([
    ['with an index', false],
    ['without an index', true],
  ])(
    'what is damaged is named and never served, all else is, and it is stored again when it is seen again, %s',
    async (_, isIndexLost) => {
      const paths = ['a', 'b', 'c'].map((name) => write(name, randomBytes(200_000)))
      for (const path of paths) await take([path])
      reopen().saveIndex()
      const [pack, size] = [lastPack(), statSync(lastPack()).size]
      const bytes = readFileSync(pack)
      bytes.writeUInt8(bytes.readUInt8(size >> 1) ^ 1, size >> 1)
      writeFileSync(pack, bytes)
      const archive = reopen({ isIndexLost })
      await expect(contentOf(archive, paths[1] ?? '')).rejects.toThrow(DamagedContent)
      archive.prove(NOW_MS)
      expect(archive.places()).toHaveLength(1)
      expect(archive.damagedVersions().map(({ file }) => file.path)).toEqual([paths[1]])
      await expect(contentOf(archive, paths[1] ?? '')).rejects.toThrow(DamagedContent)
      expect((await contentOf(archive, paths[2] ?? '')) === readFileSync(paths[2] ?? '').toString()).toBe(
        true,
      )
      const mended = await take([paths[1] ?? ''])
      expect((await contentOf(mended, paths[1] ?? '')) === readFileSync(paths[1] ?? '').toString()).toBe(true)
      expect(reopen({ isIndexLost: true }).damagedVersions()).toEqual([])
    },
  )

  it('a head of a record that is damaged costs that record only', async () => {
    const paths = ['a', 'b', 'c'].map((name) => write(name, logLines(50, name)))
    const offsets: number[] = []
    for (const path of paths) {
      await take([path])
      offsets.push(statSync(lastPack()).size)
    }
    const bytes = readFileSync(lastPack())
    bytes.fill(0, offsets[0], (offsets[0] ?? 0) + 30)
    writeFileSync(lastPack(), bytes)
    const archive = reopen({ isIndexLost: true })
    archive.prove(NOW_MS)
    expect(archive.places()).toEqual([`1 ${offsets[0]}`])
    expect(archive.damagedVersions().map(({ file }) => file.path)).toEqual([paths[1]])
    expect(await contentOf(archive, paths[2] ?? '')).toBe(logLines(50, 'c'))
  })

  it('at its limit it stops, says so, and what was stored whole until then is there', async () => {
    const paths = Array.from({ length: 10 }, (_, n) => write(`file-${n}`, randomBytes(100_000)))
    await expect(take(paths, { maxBytes: 650_000 })).rejects.toThrow(LimitReached)
    const archive = reopen()
    const kept = [...archive.manifest.files()].map(({ path }) => path)
    expect(kept.length).toBeGreaterThan(2)
    expect(kept.length).toBeLessThan(7)
    for (const path of kept)
      expect((await contentOf(archive, path)) === readFileSync(path).toString()).toBe(true)
    expect(archive.storedBytes()).toBeLessThan(660_000)
  })

  it('what only a newer Node can tell apart is not begun to be forgotten', async () => {
    const paths = ['a', 'b'].map((name) => write(name, logLines(5, name)))
    const archive = await take(paths)
    const whole = readFileSync(lastPack())
    // after the name of the pack
    const start = whole.indexOf('GDk', whole.indexOf('GDk') + 1)
    const unknown = Buffer.from(whole)
    unknown.writeUInt8(99, start + 5)
    unknown.writeUInt32LE(crc32(unknown.subarray(start, start + 32)), start + 32)
    writeFileSync(lastPack(), unknown)
    const id = archive.manifest.find(paths[0] ?? '')?.id ?? 0
    await expect(forgetFiles(reopen(), [id])).rejects.toThrow(UnknownCodec)
    expect(readFileSync(lastPack()).equals(unknown)).toBe(true)
    expect(readdirSync(folder)).not.toContain('forgetting.json')
    writeFileSync(lastPack(), whole)
    await forgetFiles(reopen(), [])
    expect(await contentOf(reopen(), paths[0] ?? '')).toBe(logLines(5, 'a'))
  })

  it('at its limit a log that grew by a little is kept as it was', async () => {
    const log = write('log', logLines(50))
    const maxBytes = (await take([log])).storedBytes() + 100
    const before = readFileSync(log, 'utf8')
    appendFileSync(log, logLines(5, 'more'))
    await expect(take([log], { maxBytes })).rejects.toThrow(LimitReached)
    expect(await contentOf(reopen(), log)).toBe(before)
    expect(await contentOf(await take([log]), log)).toBe(readFileSync(log, 'utf8'))
  })

  it('a full disk: what was kept stays, nothing is left of what found no room, and with room it goes on', async () => {
    const paths = Array.from({ length: 12 }, (_, n) => write(`file-${n}`, randomBytes(300_000)))
    await take(paths.slice(0, 2))
    const size = statSync(lastPack()).size
    const real = fs.writeSync
    for (const place of [1, 2, 3]) {
      let writes = 0
      fs.writeSync = ((descriptor: number, bytes: Uint8Array, start: number, length: number, at: number) => {
        if (++writes < place) return real(descriptor, bytes, start, length, at)
        if (writes === place) return real(descriptor, bytes, start, length >> 1, at)
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
      }) as typeof fs.writeSync
      syncBuiltinESMExports()
      try {
        await expect(take(paths)).rejects.toThrow('ENOSPC')
      } finally {
        fs.writeSync = real
        syncBuiltinESMExports()
      }
      const archive = reopen({ isIndexLost: true })
      archive.prove(NOW_MS)
      expect(archive.places()).toEqual([])
      expect([...archive.manifest.files()].map(({ path }) => path)).toEqual(paths.slice(0, 2))
    }
    expect(statSync(lastPack()).size).toBeLessThan(size + 1_300_000)
    const archive = await take(paths)
    for (const path of paths)
      expect((await contentOf(archive, path)) === readFileSync(path).toString()).toBe(true)
    expect(archive.packs.list()).toEqual([1])
  })

  it('whoever lost the archive to another process without knowing writes nothing more', async () => {
    const [first, second] = [write('first', logLines(2_000)), write('second', logLines(2_000, 'b'))]
    await take([first])
    const asleep = new ArchiveWriter(new Archive(folder), { maxBytes: NO_LIMIT, nowMs: NOW_MS })
    await take([second])
    await takePath(asleep, write('third', logLines(2_000, 'c')), { isLog: true, isCertain: false })
    await expect(asleep.commit()).rejects.toThrow('another process has written')
    await asleep.close(NOW_MS)
    const archive = reopen({ isIndexLost: true })
    expect(archive.damagedVersions()).toEqual([])
    expect([...archive.manifest.files()].map(({ path }) => path)).toEqual([first, second])
  })

  it(
    'killed at any moment it holds what was noted, whole, and each thing once',
    async () => {
      const paths = Array.from({ length: 40 }, (_, n) => write(`log-${n}`, logLines(1_500, `k${n}`)))
      const script = fileURLToPath(new URL('take-all.ts', import.meta.url))
      for (let kill = 0; kill < KILLS; kill++) {
        const child = spawn(process.execPath, [
          '--import',
          import.meta.resolve('tsx'),
          script,
          folder,
          ...paths,
        ])
        const ended = new Promise((resolve) => child.once('exit', resolve))
        await new Promise((resolve) => child.stdout.once('data', resolve))
        await setTimeout((kill * 397) % 300)
        child.kill('SIGKILL')
        await ended
        const archive = reopen({ isIndexLost: kill % 2 === 0 })
        archive.prove(NOW_MS)
        expect(archive.places()).toEqual([])
        for (const { path } of archive.manifest.files())
          expect((await contentOf(archive, path)) === readFileSync(path, 'utf8'), path).toBe(true)
      }
      const archive = await take(paths)
      const files = [...reopen().manifest.files()]
      expect(files.map(({ path }) => path).sort()).toEqual([...paths].sort())
      expect(files.filter(({ versions }) => versions.length !== 1)).toEqual([])
      expect(archive.storedBytes()).toBeLessThan(40 * logLines(1_500, 'k10').length * 0.35)
    },
    20_000 + KILLS * 3_000,
  )

  it('a log that grows while it is read is kept in whole lines, and the rest when it is seen next', async () => {
    const log = write('log', logLines(40_000))
    const child = spawn(process.execPath, [
      fileURLToPath(new URL('write-endlessly.mjs', import.meta.url)),
      log,
    ])
    const hasWritten = new Promise((resolve) => child.stdout.once('data', resolve))
    try {
      await hasWritten
      for (let look = 0; look < 4; look++) {
        rmSync(folder, { recursive: true, force: true })
        const kept = await contentOf(await take([log]), log)
        expect(kept.endsWith('\n')).toBe(true)
        expect(readFileSync(log, 'utf8').startsWith(kept)).toBe(true)
      }
    } finally {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
    }
    const archive = await take([log], { isCertain: true })
    expect((await contentOf(archive, log)) === readFileSync(log, 'utf8')).toBe(true)
    expect(archive.manifest.find(log)?.versions).toHaveLength(1)
  })
})
