import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMemoryMarkLog, openMarkFile } from './mark-log.ts'
import { takeInMarks, writeMarks } from './mark-transfer.ts'
import { MarkStore, openMarks } from './open-marks.ts'

let folder: string
let told: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-marks-'))
  told = []
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const open = (now?: () => number) =>
  new MarkStore(
    openMarkFile(folder, (problem) => told.push(problem ?? 'mended')),
    now,
  )
const file = () => join(folder, 'marks.jsonl')
const PLAIN = { star: false, note: '', tags: [], title: null, seen: null, messages: {} }

describe('what a person said of sessions', () => {
  it('is there for the next run, in a file for this user only', () => {
    const store = open()
    store.change('s1', { star: true, tags: ['proxy', 'später'] })
    store.change('s1', { note: 'the *good* one\nsee turn 3' })
    store.changeMessage('s1', 'm~2', { star: true })
    const mark = {
      ...PLAIN,
      star: true,
      tags: ['proxy', 'später'],
      note: 'the *good* one\nsee turn 3',
      messages: { 'm~2': { star: true, note: '' } },
    }
    expect(store.of('s1')).toEqual(mark)
    expect(open().all()).toEqual(new Map([['s1', mark]]))
    expect(statSync(file()).mode & 0o777).toBe(0o600)
  })

  it('is nothing where all of it was taken back', () => {
    const store = open()
    store.change('s1', { star: true, title: 'Mine' })
    store.changeMessage('s1', 'm', { note: 'x' })
    store.change('s1', { star: false, title: null })
    store.changeMessage('s1', 'm', { note: '' })
    expect(store.of('s1')).toBeNull()
    expect(open().all()).toEqual(new Map())
  })

  it('is found under a key that the session had before', () => {
    const store = open()
    store.change('old', { title: 'Mine' })
    expect(store.of('new', ['old'])?.title).toBe('Mine')
    expect(store.of('new')).toBeNull()
    store.changeMessage('old', 'm', { star: true })
    store.change('new', { note: 'later', title: 'Still mine' })
    store.changeMessage('new', 'm', { note: 'here' })
    expect(store.of('new', ['old', 'new'])).toEqual({
      ...PLAIN,
      title: 'Still mine',
      note: 'later',
      messages: { m: { star: true, note: 'here' } },
    })
  })

  it('holds what was said last, also where the clock went back', () => {
    let now = 5_000
    const store = open(() => now)
    store.change('s1', { note: 'first' })
    now = 1_000
    store.change('s1', { note: 'second' })
    expect(open().of('s1')?.note).toBe('second')
  })

  it('is whole when two servers write beside each other, whatever they say', () => {
    const key = fc.constantFrom('a', 'b', '__proto__', 'constructor')
    const change = fc.record(
      { star: fc.boolean(), note: fc.constantFrom('', 'x', 'y'), tags: fc.constantFrom<string[]>([], ['t']) },
      { requiredKeys: [] },
    )
    const step = fc.record({ who: fc.boolean(), key, change, message: fc.option(key) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        for (const path of [file(), `${file()}.copy`]) rmSync(path, { force: true })
        const [one, other, only] = [open(), open(), new MarkStore(createMemoryMarkLog())]
        for (const { who, key, change, message } of steps) {
          for (const store of [who ? one : other, only]) {
            if (message === null) store.change(key, change)
            else store.changeMessage(key, message, { star: change.star, note: change.note })
          }
        }
        one.reload()
        other.reload()
        expect([one.all(), other.all(), open().all()]).toEqual([only.all(), only.all(), only.all()])
      }),
      { numRuns: 40 },
    )
  })

  it('loses only the line that a crash cut off, and says so', () => {
    open().change('s1', { star: true })
    appendFileSync(file(), '{"at":99,"session":"s2","no')
    const store = open()
    store.change('s3', { star: true })
    expect([...open().all().keys()]).toEqual(['s1', 's3'])
    expect(told).toEqual([expect.stringContaining('ended in the middle of a line')])
    const aside = told[0]?.match(/saved as (.*)\.$/)?.[1] ?? ''
    expect(readFileSync(aside, 'utf8')).toContain('"session":"s2","no')
  })

  it.skipIf(process.platform === 'win32')(
    'says so where the disk takes only a part of what is written',
    () => {
      open().change('s1', { note: 'kept' })
      // limits files to 8 KB: a write beyond that is cut off, as on a full disk
      const writing = `
      const { openMarks } = await import(${JSON.stringify(new URL('./open-marks.ts', import.meta.url).href)})
      openMarks(${JSON.stringify(folder)}, () => {}).store.change('s2', { note: 'x'.repeat(20_000) })`
      const node = [process.execPath, '--import', 'tsx', '--input-type=module', '--eval', writing]
      const limited = ['-c', 'trap "" XFSZ; ulimit -f 16; exec "$@"', 'sh', ...node]
      const { status, stderr } = spawnSync('sh', limited, { encoding: 'utf8' })
      expect(stderr).toContain('EFBIG')
      expect(status).toBe(1)
      expect([...open().all().keys()]).toEqual(['s1'])
    },
  )

  it('is neither used nor touched where a later version wrote it', () => {
    writeFileSync(file(), '{"marks":"gemini-dash","version":2}\n{"at":1,"session":"s1","star":true}\n')
    const before = readFileSync(file(), 'utf8')
    const store = open()
    expect(store.all()).toEqual(new Map())
    expect(() => store.change('s1', { star: true })).toThrow('later version')
    expect(readFileSync(file(), 'utf8')).toBe(before)
    expect(told).toEqual([expect.stringContaining('later version')])
  })

  it('is taken along to another machine, where what was said last holds', () => {
    let now = 1_000
    const here = open(() => now)
    here.change('s1', { note: 'older', star: true })
    here.changeMessage('s1', 'm', { note: 'of a message' })
    const there = new MarkStore(createMemoryMarkLog(), () => now)
    now = 2_000
    there.change('s1', { note: 'newer' })
    expect(there.takeIn(here.entries())).toBeGreaterThan(0)
    expect(there.of('s1')).toEqual({
      ...PLAIN,
      star: true,
      note: 'newer',
      messages: { m: { star: false, note: 'of a message' } },
    })
    expect(there.takeIn(here.entries())).toBe(0)
    expect(here.takeIn(there.entries())).toBe(1)
    expect(here.of('s1')).toEqual(there.of('s1'))
  })
})

describe('a file of marks', () => {
  const other = () => openMarks(join(folder, 'other'), (problem) => told.push(problem ?? 'mended'))

  it('takes everything along, and nothing twice', () => {
    const here = openMarks(folder, () => {})
    here.store.change('s1', { star: true, tags: ['proxy'] })
    here.views.update(() => [{ name: 'Costly', href: '/?sort=cost' }])
    const text = writeMarks(here)
    const there = other()
    there.views.update(() => [{ name: 'Mine', href: '/usage' }])
    expect(takeInMarks(there, text)).toEqual({ entries: 1, views: 1 })
    expect(takeInMarks(there, text)).toEqual({ entries: 0, views: 0 })
    expect(other().store.all()).toEqual(here.store.all())
    expect(
      other()
        .views.read()
        .map(({ name }) => name),
    ).toEqual(['Mine', 'Costly'])
  })

  it.each([
    ['', 'not JSON'],
    ['{"marks":[]}', 'marks export'],
    ['{"marks":"gemini-dash","version":2}', 'later version'],
    ['{"marks":"gemini-dash","version":1,"entries":[{"at":1}],"views":[]}', 'entries.0.session'],
    [
      '{"marks":"gemini-dash","version":1,"entries":[],"views":[{"name":"x","href":"//evil.example"}]}',
      'views.0.href',
    ],
  ])('%s is none, and says why', (text, reason) => {
    expect(() => takeInMarks(other(), text)).toThrow(reason)
    expect(other().store.all()).toEqual(new Map())
  })
})
