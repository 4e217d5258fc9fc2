import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CACHE_FORMAT } from '@gemini-dash/session-index'
import { build, mergeConfig } from 'vite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cacheFormat, defineCacheFormat } from '../../../scripts/cache-format.ts'
import { programBuild } from '../build/program-build.ts'
import { fixtureHome } from './open-test-server.ts'
import { runProgram } from './run-program.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const SUMMARY = 'packages/gemini-sessions/src/model/session-summary.ts'

describe('A6: the format of the cache', () => {
  let copy: string

  beforeEach(() => {
    copy = mkdtempSync(join(tmpdir(), 'gemini-dash-format-'))
    const sources = ['antigravity-sessions', 'api', 'gemini-sessions', 'pricing', 'session-index'].map(
      (name) => `packages/${name}/src`,
    )
    for (const path of ['pnpm-workspace.yaml', 'apps/gemini-dash/src/store', ...sources])
      cpSync(join(ROOT, path), join(copy, path), { recursive: true })
  })
  afterEach(() => rmSync(copy, { recursive: true }))

  function change(path: string, edit: (text: string) => string): void {
    writeFileSync(join(copy, path), edit(readFileSync(join(copy, path), 'utf8')))
  }

  it('is the same of the same sources in another folder, and what tests run with', () => {
    expect(cacheFormat(copy)).toBe(cacheFormat())
    expect(CACHE_FORMAT).toBe(cacheFormat())
  })

  it('changes with a field of a schema', () => {
    change(SUMMARY, (text) => text.replace('z.strictObject({', 'z.strictObject({\n  shoeSize: z.number(),'))
    expect(cacheFormat(copy)).not.toBe(CACHE_FORMAT)
  })

  it('changes where the program makes something else of long sessions', () => {
    change('apps/gemini-dash/src/store/reader/index-maker.ts', (text) => `${text}\nexport const more = 1\n`)
    expect(cacheFormat(copy)).not.toBe(CACHE_FORMAT)
  })

  it('does not change with a test, nor with the line ends that a checkout made', () => {
    change('packages/gemini-sessions/src/node/scan/scan-homes.test.ts', (text) => `// more\n${text}`)
    change(SUMMARY, (text) => text.replaceAll('\n', '\r\n'))
    expect(cacheFormat(copy)).toBe(cacheFormat())
  })

  it('has every row made anew that a build without the new field left in the cache', async () => {
    const cache = join(copy, 'cache')
    const list = ['list', '--json', '--home', fixtureHome('0.61.0'), '--cache-dir', cache]
    const rowsOf = ({ stdout }: { stdout: string }): { shoeSize?: number }[] => JSON.parse(stdout).sessions
    expect(rowsOf(await runProgram(list)).filter(({ shoeSize }) => shoeSize === 44)).toEqual([])

    change(SUMMARY, (text) => text.replace('z.strictObject({', 'z.strictObject({\n  shoeSize: z.number(),'))
    const program = join(copy, 'program')
    const addField = {
      name: 'a-field-more',
      enforce: 'pre',
      transform: (code: string, id: string) =>
        id.endsWith('/to-session-record.ts')
          ? code.replace(/summary = (summarizeSession\(.*\))\n/, 'summary = { ...$1, shoeSize: 44 }\n')
          : null,
    }
    const patched = {
      configFile: false,
      logLevel: 'warn',
      define: defineCacheFormat(copy),
      plugins: [addField],
    }
    await build(mergeConfig(programBuild(program), patched))
    for (const _ of ['the first', 'a later start']) {
      const rows = rowsOf(await runProgram(list, {}, program))
      expect([rows.length > 0, rows.filter(({ shoeSize }) => shoeSize !== 44)]).toEqual([true, []])
    }
  })
})
