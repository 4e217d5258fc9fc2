import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  copyFileSync,
  cpSync,
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
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TitleFile } from '../src/archive.ts'
import {
  Archive,
  ArchiveWriter,
  DamagedContent,
  forgetFiles,
  type KeptVersion,
  readVersion,
  repairArchive,
  settleMended,
} from '../src/index.ts'
import { takePath } from './take-path.ts'

const NOW_MS = Date.parse('2026-11-24T09:00:00.000Z')
/** Written by the version before archives had a second index. */
const EARLIER = fileURLToPath(new URL('../../../fixtures/archives/earlier-format', import.meta.url))

let root: string
let folder: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'damage-'))
  folder = join(root, 'archive')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const title = () => join(folder, 'archive.json')
const indexes = () => ['index', 'index.copy'].map((name) => join(folder, name))
const pack = (number: number) => join(folder, 'packs', `${String(number).padStart(6, '0')}.pack`)

async function take(paths: readonly string[]): Promise<void> {
  const writer = new ArchiveWriter(new Archive(folder), { maxBytes: Number.POSITIVE_INFINITY, nowMs: NOW_MS })
  for (const path of paths) {
    await takePath(writer, path, { isLog: true, isCertain: false })
    await writer.commit()
  }
  await writer.close(NOW_MS)
}

function open(): Archive {
  const archive = new Archive(folder)
  archive.refresh()
  archive.prove(NOW_MS)
  return archive
}

async function contentOf(archive: Archive, version: KeptVersion | undefined): Promise<string> {
  if (version === undefined) throw new Error('it is not kept')
  const pieces: Uint8Array[] = []
  for await (const piece of readVersion(archive, version)) pieces.push(piece)
  return Buffer.concat(pieces).toString('latin1')
}

/** Content of each version of each file; null: damaged. */
async function contents(archive: Archive): Promise<Map<string, (string | null)[]>> {
  const found = new Map<string, (string | null)[]>()
  for (const { path, versions } of archive.manifest.files()) {
    const held: (string | null)[] = []
    for (const version of versions)
      held.push(
        await contentOf(archive, version).catch((error) => {
          if (error instanceof DamagedContent) return null
          throw error
        }),
      )
    found.set(path, held)
  }
  return found
}

function write(name: string, content: string | Buffer): string {
  const path = join(root, name)
  writeFileSync(path, content)
  return path
}

function flip(path: string, at: number, bit = 0): void {
  const bytes = readFileSync(path)
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at)
  writeFileSync(path, bytes)
}

/** Three packs with two files each, and their contents. */
async function threePacks(): Promise<{ paths: string[]; whole: Map<string, (string | null)[]> }> {
  const paths = Array.from({ length: 6 }, (_, n) => write(`file-${n}`, randomBytes(40_000 + n * 7_000)))
  for (const place of [0, 2, 4]) {
    await take(paths.slice(place, place + 2))
    // from a killed process: the next one starts a new pack
    if (place < 4) appendFileSync(pack(place / 2 + 1), 'GDk\u0001half')
  }
  const archive = open()
  expect(archive.packs.list()).toEqual([1, 2, 3])
  expect(archive.damage()).toBeNull()
  return { paths, whole: await contents(archive) }
}

describe('S3: the title of an archive', () => {
  it.each([
    ['as it is written now', false],
    ['as it was written before it had a checksum', true],
  ])('with any one bit flipped hides nothing, and is written again, %s', async (_, isEarlier) => {
    if (isEarlier) cpSync(EARLIER, folder, { recursive: true })
    else await take([write('a', 'some words')])
    const whole = await contents(open())
    const bytes = readFileSync(title())
    const { id } = JSON.parse(bytes.toString())
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      writeFileSync(title(), bytes)
      flip(title(), bit >> 3, bit & 7)
      expect(
        new TitleFile(folder).read(() => [id]),
        `bit ${bit}`,
      ).toMatchObject({ id })
      if (bit % 7 > 0 && bit >> 3 !== bytes.indexOf('1')) continue
      const archive = open()
      const held = [...whole.keys()].map((path) => archive.manifest.find(path)?.versions.length)
      expect(held, `bit ${bit}`).toEqual([...whole.values()].map((versions) => versions.length))
      if (bit % 91 > 0) continue
      const found = await contents(archive)
      for (const [path, versions] of whole) expect(found.get(path)).toEqual(versions)
      await take([write('b', `more words ${bit}`)])
      expect(open().damage()).toBeNull()
      expect(JSON.parse(readFileSync(title(), 'utf8')).id).toBe(id)
    }
  })

  it.each(['', 'not JSON', '\u0000'.repeat(58), '[]'])(
    'that holds %j is told, and a repair writes it',
    async (text) => {
      await take([write('a', 'some words')])
      const id = JSON.parse(readFileSync(title(), 'utf8')).id
      writeFileSync(title(), text)
      const archive = open()
      expect(archive.damage()).toMatchObject({ versions: [], places: [], isTitleLost: true })
      await repairArchive(archive, () => [])
      expect(open().damage()).toBeNull()
      expect(JSON.parse(readFileSync(title(), 'utf8')).id).toBe(id)
    },
  )

  it('of a later version is refused and left alone', async () => {
    await take([write('a', 'some words')])
    for (const version of [2, 99]) {
      const text = readFileSync(title(), 'utf8').replace(/"version":\d+/, `"version":${version}`)
      writeFileSync(title(), text)
      const before = readdirSync(folder)
      expect(() => open()).toThrow('was written by a later version of gemini-dash')
      await expect(take([write('b', 'more')])).rejects.toThrow('later version')
      await expect(repairArchive(new Archive(folder), () => [])).rejects.toThrow('later version')
      expect([readFileSync(title(), 'utf8'), readdirSync(folder)]).toEqual([text, before])
    }
  })
})

describe('S2: what the packs lost', () => {
  it.each([
    ['by both copies of the index', []],
    ['by the first copy', ['index.copy']],
    ['by the second copy', ['index']],
  ])(
    'is known %s, what is whole is given back, and what is lost is told no more once it was repaired',
    async (_, gone) => {
      const { paths, whole } = await threePacks()
      for (const name of gone) rmSync(join(folder, name))
      truncateSync(pack(2), 30_000)
      const archive = open()
      const { versions = [], places } = archive.damage() ?? {}
      expect([versions.map(({ file }) => file.path), places]).toEqual([
        paths.slice(2, 4),
        [expect.stringMatching(/^2 /)],
      ])
      const left = new Map(
        [...whole].map(([path, held]) => [path, paths.slice(2, 4).includes(path) ? [null] : held]),
      )
      expect(await contents(archive)).toEqual(left)
      const { mended, lost } = await repairArchive(archive, () => [paths[2] ?? ''])
      expect([mended, lost].map((found) => found.map(({ file }) => file.path))).toEqual([
        [paths[2]],
        [paths[3]],
      ])
      const repaired = open()
      expect(repaired.damage()).toBeNull()
      expect(await contents(repaired)).toEqual(
        new Map(left).set(paths[2] ?? '', whole.get(paths[2] ?? '') ?? []),
      )
      expect((await repairArchive(repaired, () => [])).damage).toBeNull()
      // what is known of it is also in the packs
      for (const path of indexes()) rmSync(path)
      const rebuilt = open()
      expect(rebuilt.damage()).toMatchObject({ versions: [], places: [], isDoubtful: true })
      expect(rebuilt.damagedVersions().map(({ file }) => file.path)).toEqual([paths[3]])
      // it is restored once it exists again
      expect((await repairArchive(rebuilt, () => [paths[3] ?? ''])).mended).toHaveLength(1)
      expect(await contents(open())).toEqual(whole)
    },
  )

  it('a pack that is missing, and no later one takes its number', async () => {
    const { paths, whole } = await threePacks()
    const kept = readFileSync(pack(3))
    rmSync(pack(3))
    expect(open().damage()?.places).toEqual(['3 missing'])
    await take([write('more', randomBytes(10_000))])
    expect(readdirSync(join(folder, 'packs'))).toEqual(['000001.pack', '000002.pack', '000004.pack'])
    const { lost } = await repairArchive(open(), () => [])
    expect(lost.map(({ file }) => file.path)).toEqual(paths.slice(4))
    expect(open().damage()).toBeNull()
    writeFileSync(pack(3), kept)
    const archive = open()
    expect(archive.damage()).toBeNull()
    expect((await contents(archive)).get(paths[5] ?? '')).toEqual(whole.get(paths[5] ?? ''))
  })

  it.each<[string, (() => void)[]]>([
    ['two packs that are swapped', [() => swap(pack(1), pack(3))]],
    ['a pack that is there twice', [() => copyFileSync(pack(2), pack(4))]],
    [
      'a pack and the index that are swapped',
      [() => swap(indexes()[0] ?? '', pack(3)), () => swap(indexes()[0] ?? '', pack(3))],
    ],
    ['both copies of the index', [0, 1].map((copy) => () => rmSync(indexes()[copy] ?? ''))],
    ['the title and a copy of the index', [() => rmSync(title()), () => rmSync(indexes()[0] ?? '')]],
    [
      'two packs that are swapped, and both copies of the index',
      [() => swap(pack(1), pack(3)), ...[0, 1].map((copy) => () => rmSync(indexes()[copy] ?? ''))],
    ],
  ])('%s cost nothing', async (_, faults) => {
    const { whole } = await threePacks()
    for (const fault of faults) fault()
    const archive = open()
    expect(await contents(archive)).toEqual(whole)
    expect(archive.damage()?.versions ?? []).toEqual([])
    await take([write('more', 'and more')])
    const taken = await contents(open())
    taken.delete(join(root, 'more'))
    expect(taken).toEqual(whole)
    await repairArchive(open(), () => [])
    expect(open().damage()).toBeNull()
    await take([write('more', 'and more, and more')])
    expect(open().damage()).toBeNull()
  })

  it('packs that are swapped do not turn the order of versions, however little the index has been folded', async () => {
    const file = write('file', 'the first words')
    for (let n = 0; n < 3; n++) {
      writeFileSync(file, `version ${n}: ${'words '.repeat(n + 1)}`)
      await take([file])
      appendFileSync(pack(n + 1), 'GDk\u0001half')
    }
    const whole = await contents(open())
    expect(whole.get(file)).toHaveLength(3)
    for (const [one, other] of [
      [1, 3],
      [2, 3],
      [1, 2],
    ] as const) {
      swap(pack(one), pack(other))
      expect(await contents(open())).toEqual(whole)
      swap(pack(one), pack(other))
    }
  })

  it('a pack that begins with what another begins with is none the less another one', async () => {
    const { paths, whole } = await threePacks()
    // its first bundle is stored again as the first of a new pack
    truncateSync(pack(3), 40)
    await take(paths.slice(4))
    await settleMended(open())
    for (const path of indexes()) rmSync(path)
    expect(await contents(open())).toEqual(whole)
  })

  it('a place that is damaged, and of which all was taken again, is told no more', async () => {
    const { paths, whole } = await threePacks()
    flip(pack(2), 5_000)
    expect(open().damage()?.versions).toHaveLength(1)
    await take(paths)
    const archive = open()
    expect(archive.damage()).toMatchObject({ versions: [], places: [expect.stringMatching(/^2 /)] })
    await settleMended(archive)
    expect(open().damage()).toBeNull()
    expect(await contents(open())).toEqual(whole)
  })

  it('a pack and a file that was brought out are swapped: a repair finds what is in both', async () => {
    const { paths, whole } = await threePacks()
    const copy = join(folder, 'gone', 'files', 'file-2')
    mkdirSync(join(folder, 'gone', 'files'), { recursive: true })
    copyFileSync(paths[2] ?? '', copy)
    swap(copy, pack(2))
    expect(
      open()
        .damage()
        ?.versions.map(({ file }) => file.path),
    ).toEqual(paths.slice(2, 4))
    const { mended, lost } = await repairArchive(open(), () => [])
    expect([mended.length, lost]).toEqual([2, []])
    expect(open().damage()).toBeNull()
    expect(await contents(open())).toEqual(whole)
  })

  it.each([600, 900])('a last pack whose end is zeros from byte %s on is repaired at once', async (from) => {
    const paths = Array.from({ length: 6 }, (_, n) => write(`small-${n}`, randomBytes(300)))
    for (const path of paths) await take([path])
    const bytes = readFileSync(pack(1))
    writeFileSync(pack(1), bytes.fill(0, from, bytes.length - 10))
    await repairArchive(open(), () => paths)
    expect(open().damage()).toBeNull()
    expect((await repairArchive(open(), () => [])).damage).toBeNull()
  })

  it('what is known of it outlives that another file is forgotten', async () => {
    const { paths } = await threePacks()
    flip(pack(2), 5_000)
    const archive = open()
    const [{ file } = { file: null }] = archive.damage()?.versions ?? []
    const other = archive.manifest.find(paths[0] ?? '')?.id ?? 0
    await forgetFiles(archive, [other])
    for (const name of [null, 'index', 'index.copy']) {
      if (name !== null) rmSync(join(folder, name))
      const held = open()
      expect(held.manifest.find(paths[0] ?? '')).toBeNull()
      expect(held.damage()?.versions.map((found) => found.file.path)).toEqual([file?.path])
    }
  })
})

describe('an archive of the earlier format', () => {
  it('gives back all that it holds, with its index and without, and is gone on with', async () => {
    cpSync(EARLIER, folder, { recursive: true })
    const whole = await contents(open())
    expect(
      [...whole].map(([path, held]) => [path, held.map((content) => content?.split('\n').length)]),
    ).toEqual([
      ['grown.jsonl', [141]],
      ['overwritten.json', [41, 21]],
      ['third.jsonl', [31]],
    ])
    expect(whole.get('grown.jsonl')?.[0]).toContain('"id":"grown-139"')
    rmSync(join(folder, 'index'))
    expect(open().damage()).toBeNull()
    expect(await contents(open())).toEqual(whole)
    cpSync(EARLIER, folder, { recursive: true })
    const more = write('more', 'words')
    await take([more])
    expect(await contents(open())).toEqual(new Map(whole).set(more, ['words']))
    expect(indexes().map((path) => statSync(path).size > 0)).toEqual([true, true])
  })

  it('tells by its index what a pack that was cut has lost', () => {
    cpSync(EARLIER, folder, { recursive: true })
    truncateSync(pack(1), 3_000)
    const found = open()
      .damage()
      ?.versions.map(({ file, number }) => `${file.path} ${number}`)
    expect(found).toContain('third.jsonl 0')
  })
})

function swap(one: string, other: string): void {
  renameSync(one, `${one}.between`)
  renameSync(other, one)
  renameSync(`${one}.between`, other)
}
