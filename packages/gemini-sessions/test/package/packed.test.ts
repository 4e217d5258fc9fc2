import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { messageText } from '../../src/index.ts'
import { readSessions } from '../../src/node/index.ts'
import { type InstalledPackage, installPackage } from './install-package.ts'
import { codeBlocks, readReadme } from './read-readme.ts'

const HOME = fileURLToPath(new URL('../../../../fixtures/homes/0.61.0-interactive', import.meta.url))
const require = createRequire(import.meta.url)

let installed: InstalledPackage
beforeAll(() => {
  installed = installPackage()
})
afterAll(() => installed?.remove())

describe('R51: the tarball', () => {
  it('holds what runs and what describes it, no sources, tests or maps', () => {
    const outside = installed.files.filter((path) => !path.startsWith('dist/'))
    expect(outside.sort()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'])
    const inside = installed.files.filter((path) => path.startsWith('dist/'))
    expect(inside).toContain('dist/index.js')
    expect(inside).toContain('dist/node/index.d.ts')
    expect(inside.filter((path) => !/\.(js|d\.ts)$/.test(path) || path.includes('.test.'))).toEqual([])
  })

  it('satisfies publint', async () => {
    const data = readFileSync(installed.tarball)
    const tarball = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength) as ArrayBuffer
    const { messages } = await publint({ pack: { tarball }, strict: true })
    expect(messages).toEqual([])
  })

  it('has types that resolve as its code does (attw, for ES modules)', () => {
    const command = join(dirname(require.resolve('@arethetypeswrong/cli/package.json')), 'dist', 'index.js')
    const args = [installed.tarball, '--profile', 'esm-only', '--format', 'ascii', '--no-color']
    expect(runNode([command, ...args])).toContain('"gemini-sessions/node"')
  })
})

describe('installed into an empty project', () => {
  it('the example of the README runs under plain Node and prints what the sources read', async () => {
    const printed = run('example.mjs', example())
    const expected: string[] = []
    for await (const { session, summary } of readSessions({ homes: [HOME] })) {
      for (const message of session.messages) {
        expected.push(`${summary.project.name} ${message.origin} ${messageText(message)}\n`)
      }
    }
    expect(expected.length).toBeGreaterThan(20)
    expect(printed).toBe(expected.join(''))
  })

  it.each([
    // Once with all declarations of the package, without Node's types.
    { moduleResolution: 'nodenext', module: 'nodenext', skipLibCheck: false },
    { moduleResolution: 'bundler', module: 'esnext', skipLibCheck: true },
  ])(
    'the examples, those of tokens and prices among them, type-check with moduleResolution $moduleResolution',
    (resolution) => {
      const options = { strict: true, noEmit: true, target: 'es2023', lib: ['es2023', 'dom'], types: [] }
      const compilerOptions = { ...options, ...resolution, skipDefaultLibCheck: true }
      const config = join(installed.folder, 'tsconfig.json')
      const examples = [example(), ...codeBlocks(readReadme(), 'ts')]
      expect(examples.length).toBeGreaterThan(3)
      const files = examples.map((_, at) => `example-${at}.ts`)
      writeFileSync(config, JSON.stringify({ compilerOptions, files }))
      for (const [at, code] of examples.entries())
        writeFileSync(join(installed.folder, files[at] ?? ''), `${code}\nexport {}\n`)
      expect(runNode([require.resolve('typescript/bin/tsc'), '-p', config])).toBe('')
    },
  )

  it('nothing but the entries can be imported', () => {
    const code = `
      for (const path of ['dist/index.js', 'parse/replay-log', 'dist/derive/sha256.js', 'src/index.ts'])
        await import('gemini-sessions/' + path).then(() => console.log(path), (error) => console.log(error.code))`
    expect(run('internals.mjs', code)).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED\n'.repeat(4))
  })

  it('a home that is not there is a mistake that is explained', () => {
    const code = `
      import { readSessions } from 'gemini-sessions/node'
      try { for await (const each of readSessions({ homes: ['no-such-home'] })) console.log(each) }
      catch (error) { console.log(error.code, error.message) }`
    expect(run('missing.mjs', code)).toMatch(
      /^no-home There is no Gemini folder at .*no-such-home.*Use the folder that/,
    )
  })
})

function example(): string {
  const [code] = codeBlocks(readReadme(), 'js')
  expect(code?.trim().split('\n')).toHaveLength(5)
  return code ?? ''
}

/** Runs a module in the project, as a user of the package would. */
function run(name: string, code: string): string {
  writeFileSync(join(installed.folder, name), code)
  return runNode([name])
}

/** Its output; stderr is the error. */
function runNode(args: string[]): string {
  const env = { ...process.env, GEMINI_SESSIONS_DIR: undefined, GEMINI_CLI_HOME: HOME }
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: installed.folder,
    encoding: 'utf8',
    env,
  })
  if (status !== 0) throw new Error(`${stdout}${stderr}`)
  return stdout
}
