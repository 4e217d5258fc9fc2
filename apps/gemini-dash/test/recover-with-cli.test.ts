import { execFile } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import type { IncomingMessage, Server } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { moveAnswerSchema, recoverAnswerSchema, sessionListSchema } from '@gemini-dash/api'
import { test as base, describe, expect } from 'vitest'
import { WITHOUT_CLI } from '../../../fixtures/installed-tools.ts'
import { machineTime } from '../../../fixtures/machine-time.ts'
import { findGemini, geminiEnvironment, prepareHome, runGemini } from '../../../scripts/newest-cli/gemini.mjs'
import { listenAsModel } from '../../../scripts/newest-cli/model-stand-in.mjs'
import { runProgram } from './run-program.ts'

// Gemini CLI itself has to find, load and keep what this program restores or moves. GEMINI_CLI=/folder/with/node_modules selects other
// versions; docs/decisions/gone-is-not-lost.md lists those tested.
const INSTALLED =
  process.env.GEMINI_CLI ?? fileURLToPath(new URL('../../../tools/gemini-cli', import.meta.url))
const DAY_MS = 86_400_000

/** The clean-up runs concurrently with the first answer of a start, and is aborted when that arrives. */
const TIME_TO_CLEAN_MS = 2_500

/** A home of the CLI with a session of a project, and its model: one per test, as the tests run concurrently. */
class World {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-dash-test-')))
  readonly home = join(this.folder, 'mia')
  readonly project = join(this.home, 'shop')
  /** Where the CLI is started. */
  place = this.project
  readonly #model = { thinkMs: 0 }
  #server: Server | undefined
  /** Requests to the model since this was last cleared. */
  #sent: { contents?: unknown[] }[] = []

  async begin(): Promise<void> {
    prepareHome(this.home, this.project, { enabled: true, maxAge: '30d' })
    this.#server = await listenAsModel(this.project, this.#model)
    this.#server?.on('request', (request: IncomingMessage) => {
      let text = ''
      request.on('data', (chunk) => {
        text += chunk
      })
      if (request.url?.includes('enerateContent')) request.on('end', () => this.#sent.push(JSON.parse(text)))
    })
    await this.gemini('-p', 'Read the price file', '--yolo')
  }

  end(): void {
    this.#server?.close()
    rmSync(this.folder, { recursive: true, force: true })
  }

  async gemini(...args: string[]): Promise<void> {
    await runGemini(installed(), {
      home: this.home,
      folder: this.place,
      port: this.#port,
      args,
      isQuiet: true,
    })
  }

  /** A start with enough time to delete old sessions. */
  async start(...args: string[]): Promise<void> {
    this.#model.thinkMs = TIME_TO_CLEAN_MS
    await this.gemini(...args, '--yolo')
  }

  /** Output of `--list-sessions`. */
  async listed(): Promise<string> {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [installed(), '--list-sessions'], {
      cwd: this.place,
      env: geminiEnvironment(this.home, this.#port),
    })
    return stdout + stderr
  }

  get #port(): number {
    const address = this.#server?.address()
    return typeof address === 'object' ? (address?.port ?? 0) : 0
  }

  async ask(...args: string[]) {
    const own = ['--data-dir', join(this.folder, 'data'), '--cache-dir', join(this.folder, 'cache')]
    const { code, signal, stdout, stderr } = await runProgram([
      ...args,
      '--json',
      ...own,
      '--home',
      this.home,
    ])
    if (stdout === '') throw new Error(`${args.join(' ')} answered nothing (${code ?? signal}): ${stderr}`)
    return { code, stderr, answer: JSON.parse(stdout) }
  }

  /** What the CLI sends to the model when it continues a session: the conversation as it loaded it. */
  async resumed(sessionId: string, { isStart = false } = {}): Promise<unknown[]> {
    this.#sent = []
    const args = ['--resume', sessionId, '-p', 'Please list files here']
    await (isStart ? this.start(...args) : this.gemini(...args, '--yolo'))
    const first = this.#sent.find(({ contents }) =>
      JSON.stringify(contents).includes('Please list files here'),
    )
    return first?.contents ?? []
  }

  chatFolders(): string[] {
    const tmp = join(this.home, '.gemini', 'tmp')
    return readdirSync(tmp, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('chats'))
      .map((name) => join(tmp, name))
  }

  chatFiles(folder = this.chatFolders()[0] ?? ''): string[] {
    return readdirSync(folder).filter((name) => name.startsWith('session-'))
  }

  /** As if the CLI had last been used an hour ago: what grew within two minutes is not touched. */
  makeQuiet(): void {
    const ago = (ms: number) => new Date(ms - 3_600_000)
    for (const chats of this.chatFolders()) {
      for (const path of this.chatFiles(chats).map((name) => join(chats, name))) {
        const text = readFileSync(path, 'utf8')
        writeFileSync(
          path,
          text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => ago(Date.parse(time)).toISOString()),
        )
        utimesSync(path, ago(machineTime().getTime()), ago(machineTime().getTime()))
      }
    }
  }

  /** A start of the CLI after this session was not continued for 40 days. */
  async aMonthLater(log: string): Promise<void> {
    const old = new Date(machineTime().getTime() - 40 * DAY_MS).toISOString()
    const text = readFileSync(log, 'utf8')
    writeFileSync(log, text.replace(/"lastUpdated":(\s?)"[^"]+"/g, `"lastUpdated":$1"${old}"`))
    await this.start('-p', 'a month later')
  }
}

function installed(): string {
  const program = findGemini(INSTALLED)
  if (program !== undefined) return program
  throw new Error(
    `There is no Gemini CLI in ${INSTALLED}: run \`npm ci\` there (\`npm run test:all\` does it for you).`,
  )
}

const test = base.extend<{ world: World }>({
  world: async ({ task: _ }, use) => {
    const world = new World()
    await world.begin()
    await use(world)
    world.end()
  },
})

describe.runIf(process.platform !== 'win32' && WITHOUT_CLI === '')(`Gemini CLI${WITHOUT_CLI}`, () => {
  test.concurrent('a session that is recovered is found and loaded by Gemini CLI as it was, survives two starts, and is deleted when it is old', async ({
    world,
  }) => {
    expect((await world.ask('keep', 'on')).code).toBe(0)
    const before = sessionListSchema.parse((await world.ask('list')).answer).sessions
    const [{ key, sessionId, counts } = { key: '', sessionId: '', counts: null }] = before
    const messages = (await world.ask('show', key)).answer.messages
    cpSync(join(world.home, '.gemini'), join(world.folder, 'copy'), { recursive: true })
    const told = await world.resumed(sessionId)
    expect(JSON.stringify(told)).toContain('Read the price file')
    rmSync(join(world.home, '.gemini'), { recursive: true })
    cpSync(join(world.folder, 'copy'), join(world.home, '.gemini'), {
      recursive: true,
      preserveTimestamps: true,
    })
    for (const name of world.chatFiles()) rmSync(join(world.chatFolders()[0] ?? '', name))

    expect(await world.listed()).not.toContain(sessionId)
    const dry = recoverAnswerSchema.parse((await world.ask('recover', key)).answer)
    expect(dry).toMatchObject({
      refused: [],
      written: null,
      writes: [{ path: expect.stringContaining('/chats/session-') }],
    })
    expect(dry.notes.join(' ')).toContain('30 days')
    expect(world.chatFiles()).toEqual([])
    const { code, stderr, answer } = await world.ask('recover', key, '--write')
    expect([code, stderr, answer.refused]).toEqual([0, '', []])
    const [file = ''] = world.chatFiles()
    const [row] = sessionListSchema.parse((await world.ask('list')).answer).sessions
    expect(row).toMatchObject({ key, sessionId, deletedSeen: null, counts })
    const now = (await world.ask('show', key)).answer.messages
    expect(now.map(withoutPlace)).toEqual(messages.map(withoutPlace))

    expect(await world.listed()).toContain(sessionId)
    await world.start('-p', 'first start')
    expect(world.chatFiles()).toContain(file)
    // the second start
    expect(await world.resumed(sessionId, { isStart: true })).toEqual(told)
    expect(world.chatFiles()).toContain(file)

    await world.aMonthLater(join(world.chatFolders()[0] ?? '', file))
    expect(world.chatFiles()).not.toContain(file)
  }, 600_000)

  test.concurrent('a session that is moved is found and loaded by Gemini CLI in the other folder, survives two starts there, and is deleted when it is old', async ({
    world,
  }) => {
    world.makeQuiet()
    const before = sessionListSchema.parse(
      (await world.ask('list', '--deleted', 'exclude', '--limit', '1')).answer,
    )
    const { key, sessionId } = before.sessions[0] ?? { key: '', sessionId: '' }
    const messages = (await world.ask('show', key)).answer.messages
    cpSync(join(world.home, '.gemini'), join(world.folder, 'before'), {
      recursive: true,
      preserveTimestamps: true,
    })
    const told = await world.resumed(sessionId)
    expect(JSON.stringify(told)).toContain('Read the price file')
    rmSync(join(world.home, '.gemini'), { recursive: true })
    cpSync(join(world.folder, 'before'), join(world.home, '.gemini'), {
      recursive: true,
      preserveTimestamps: true,
    })

    const place = join(world.home, 'store')
    mkdirSync(place)
    writeFileSync(join(place, 'price.js'), '')
    world.place = place
    const others = world.chatFolders()
    await world.gemini('-p', 'hello', '--yolo')
    const chats = world.chatFolders().find((each) => !others.includes(each)) ?? ''
    const { answer, stderr } = await world.ask('move', key, '--to', place, '--write')
    expect([stderr, moveAnswerSchema.parse(answer).refused]).toEqual(['', []])
    expect(answer.notes.join(' ')).toContain('30 days')
    expect(await world.listed()).toContain(sessionId)
    const { sessions } = sessionListSchema.parse((await world.ask('list')).answer)
    const row = sessions.find((each) => each.key === key)
    expect(row?.project.path).toBe(place)
    const now = (await world.ask('show', key)).answer.messages
    expect(now.map(withoutPlace)).toEqual(messages.map(withoutPlace))

    const [file = ''] = answer.writes.flatMap(({ path }: { path: string }) => path.split('/').at(-1) ?? [])
    await world.start('-p', 'first start')
    expect(world.chatFiles(chats)).toContain(file)
    // The second start; everything but the folder, which the CLI states anew.
    const [to = '', from = ''] = [others[0] ?? '', chats].map((each) => basename(dirname(each)))
    const inStore = JSON.stringify(await world.resumed(sessionId, { isStart: true })).replaceAll(from, to)
    expect(JSON.parse(inStore.replaceAll('/store', '/shop'))).toEqual(told)
    expect(world.chatFiles(chats)).toContain(file)

    await world.aMonthLater(join(chats, file))
    expect(world.chatFiles(chats)).not.toContain(file)
  }, 600_000)
})

function withoutPlace({ source: _, ...message }: { source: unknown }): object {
  return message
}
