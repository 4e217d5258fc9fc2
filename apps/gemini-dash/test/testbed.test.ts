import { execFile } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { doctorSchema, sessionListSchema, type TestbedAnswer, testbedAnswerSchema } from '@gemini-dash/api'
import { readSessions } from 'gemini-sessions/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CLI_VERSIONS } from '../../../fixtures/demo/cli-version.ts'
import { WITHOUT_CLI, WITHOUT_LOADER } from '../../../fixtures/installed-tools.ts'
import { loadMessagesWithCli } from '../../../packages/gemini-sessions/test/cli-oracle.ts'
import { findGemini, geminiEnvironment, prepareHome } from '../../../scripts/newest-cli/gemini.mjs'
import { listenAsModel } from '../../../scripts/newest-cli/model-stand-in.mjs'
import { COMMANDS } from '../src/terminal/commands.ts'
import { runProgram } from './run-program.ts'

// GEMINI_CLI=/folder/with/node_modules selects another version of the CLI, and TESTBED=the version whose files it reads.
const INSTALLED =
  process.env.GEMINI_CLI ?? fileURLToPath(new URL('../../../tools/gemini-cli', import.meta.url))
const VERSIONS = Object.keys(CLI_VERSIONS)
const NEWEST = process.env.TESTBED ?? VERSIONS.at(-1) ?? ''

let folder: string
let model: Server
let port: number
const beds = new Map<string, TestbedAnswer>()

beforeAll(async () => {
  // The CLI resolves links, and names projects by their folder.
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-dash-test-')))
  model = await listenAsModel(folder)
  const address = model.address()
  port = typeof address === 'object' ? (address?.port ?? 0) : 0
  for (const version of VERSIONS) beds.set(version, await write(join(folder, version), version))
})
afterAll(() => {
  model?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function write(out: string, version: string): Promise<TestbedAnswer> {
  const { code, stdout, stderr } = await runProgram(['testbed', out, '--cli-version', version, '--json'])
  expect([code, stderr]).toEqual([0, ''])
  return testbedAnswerSchema.parse(JSON.parse(stdout))
}

function bed(version: string): TestbedAnswer {
  const written = beds.get(version)
  if (written === undefined) throw new Error(`nothing was written for ${version}`)
  return written
}

const bytesIn = (out: string) =>
  new Map(
    readdirSync(out, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [path, readFileSync(path).toString('base64')]),
  )

describe('gemini-dash testbed', () => {
  test('what it writes is read without an issue, for each version, and every session is there', async () => {
    const where = ['--no-cache', '--json', ...VERSIONS.flatMap((version) => ['--home', bed(version).home])]
    const doctor = await runProgram(['doctor', ...where])
    const { files, issues, drift } = doctorSchema.parse(JSON.parse(doctor.stdout))
    expect([doctor.code, files.skipped, issues, drift]).toEqual([0, [], [], []])
    const list = await runProgram(['list', '--kind', 'all', ...where])
    const rows = sessionListSchema.parse(JSON.parse(list.stdout)).sessions
    for (const version of VERSIONS) {
      const { home, sessions } = bed(version)
      const inHome = rows.filter((row) => row.files.some((file) => file.home === home))
      for (const { sessionId, stubs } of sessions) {
        const own = inHome.filter((row) => row.sessionId === sessionId && row.kind === 'main')
        expect(own.length, sessionId).toBeGreaterThan(0)
        const ownFiles = own.flatMap((row) => row.files)
        expect(ownFiles.filter(({ role }) => role === 'stub').map(({ path }) => path)).toEqual(stubs)
      }
      expect(inHome.some(({ kind }) => kind === 'checkpoint')).toBe(true)
      expect(inHome.some(({ kind }) => kind === 'subagent')).toBe(version !== '0.4.1')
    }
    expect(rows.some(({ kind }) => kind === 'prompts-only')).toBe(true)
  })

  test('the same folder and version give the same bytes; --json and what lies there are the same', async () => {
    const { home, writes } = bed(NEWEST)
    const out = join(home, '..')
    const before = bytesIn(out)
    expect(new Map(writes.map(({ path, sizeBytes }) => [path, sizeBytes]))).toEqual(
      new Map([...before].map(([path, bytes]) => [path, Buffer.byteLength(bytes, 'base64')])),
    )
    rmSync(out, { recursive: true })
    expect(await write(out, NEWEST)).toEqual(bed(NEWEST))
    expect(bytesIn(out)).toEqual(before)
  })

  test('nothing is written into what is not empty, into a home, or for a version that is not known', async () => {
    const full = join(folder, 'full')
    mkdirSync(full)
    writeFileSync(join(full, 'note'), 'mine')
    const home = bed(NEWEST).home
    const copy = join(folder, 'copy')
    mkdirSync(join(copy, 'tmp'), { recursive: true })
    for (const [args, code, reason] of [
      [[full], 1, 'is not empty'],
      [[join(home, 'tmp', 'new')], 1, 'is in a .gemini folder'],
      [[join(copy, 'tmp', 'new'), '--home', copy], 1, 'is in the Gemini folder'],
      [[join(folder, 'other'), '--cli-version', '9.9.9'], 2, `Known versions: ${VERSIONS.join(', ')}.`],
      [[], 2, 'Which folder?'],
    ] as const) {
      const told = await runProgram(['testbed', ...args])
      expect([told.code, told.stdout, told.stderr]).toEqual([code, '', expect.stringContaining(reason)])
    }
    expect(readdirSync(full)).toEqual(['note'])
    expect(readdirSync(join(home, 'tmp'))).not.toContain('new')
    expect(readdirSync(folder)).not.toContain('other')
  })

  test('its help names the versions', () => {
    expect(COMMANDS.testbed.notes.join('\n')).toContain(`${VERSIONS.join(', ')}.`)
  })
})

const lacks = WITHOUT_CLI || WITHOUT_LOADER

describe.runIf(process.platform !== 'win32' && lacks === '')(`Gemini CLI itself${lacks}`, () => {
  test('lists every session of a project in its folder, also of one that only a hash names', async () => {
    const gemini = findGemini(INSTALLED)
    if (gemini === undefined)
      throw new Error(
        `There is no Gemini CLI in ${INSTALLED}: run \`npm ci\` there (\`npm run test:all\` does it for you).`,
      )
    const { home, sessions } = bed(NEWEST)
    // one with everything, and one that the CLI first has to move to a folder named by a slug
    const projects = ['minimal', 'hash folder only'].map(
      (what) => sessions.find((session) => session.what === what)?.project ?? sessions[0]?.project ?? '',
    )
    for (const project of new Set(projects)) prepareHome(join(home, '..'), project)
    const told = await Promise.all(
      [...new Set(projects)].map(async (project) => {
        const { stdout, stderr } = await promisify(execFile)(process.execPath, [gemini, '--list-sessions'], {
          cwd: project,
          env: geminiEnvironment(join(home, '..'), port),
          timeout: 120_000,
        })
        return { project, text: stdout + stderr }
      }),
    )
    for (const { project, text } of told) {
      // the CLI holds nothing of what was rewound
      const of = sessions.filter((session) => session.project === project && session.what !== 'refused')
      expect(of.length).toBeGreaterThan(0)
      for (const { sessionId, what } of of) expect(text, what).toContain(`[${sessionId}]`)
    }
  }, 240_000)

  test('loads every file with the messages that are read here', async () => {
    const { home } = bed(VERSIONS.at(-1) ?? '')
    let compared = 0
    for await (const { session } of readSessions({ homes: [home] })) {
      const [file, ...others] = session.files
      if (file === undefined || others.length > 0 || !file.path.includes('/chats/')) continue
      const loaded = await loadMessagesWithCli(join(home, file.path))
      const live = session.messages.filter(({ superseded }) => superseded === null)
      expect(
        live.map(({ id }) => id),
        file.path,
      ).toEqual(loaded?.map(({ id }) => id))
      compared += 1
    }
    expect(compared).toBeGreaterThan(7)
  })
})
