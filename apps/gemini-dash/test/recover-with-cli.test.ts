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
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WITHOUT_CLI } from '../../../fixtures/installed-tools.ts'
import { findGemini, geminiEnvironment, prepareHome, runGemini } from '../../../scripts/newest-cli/gemini.mjs'
import { listenAsModel } from '../../../scripts/newest-cli/model-stand-in.mjs'
import { runProgram } from './run-program.ts'

// What we bring back or move Gemini CLI itself has to find, load and keep. Other versions are asked with
// GEMINI_CLI=/folder/with/node_modules; which were is told in docs/decisions/recover.md and move.md.
const INSTALLED =
  process.env.GEMINI_CLI ?? fileURLToPath(new URL('../../../tools/gemini-cli', import.meta.url))
const DAY_MS = 86_400_000

let folder: string
let home: string
let project: string
/** Where the CLI is started. */
let place: string
let model: Server
/** What the model was sent, since that was emptied. */
let sent: { contents?: unknown[] }[] = []

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-dash-test-')))
  home = join(folder, 'mia')
  project = join(home, 'shop')
  place = project
  prepareHome(home, project, { enabled: true, maxAge: '30d' })
  // The clean-up runs beside the first answer, and breaks off when that is there.
  model = await listenAsModel(project, { thinkMs: 1_500 })
  model.on('request', (request: IncomingMessage) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    if (request.url?.includes('enerateContent')) request.on('end', () => sent.push(JSON.parse(text)))
  })
  await gemini('-p', 'Read the price file', '--yolo')
}, 240_000)
afterAll(() => {
  model?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function gemini(...args: string[]): Promise<void> {
  await runGemini(installed(), { home, folder: place, port: portOf(model), args, isQuiet: true })
}

/** What `--list-sessions` prints. */
async function listed(): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [installed(), '--list-sessions'], {
    cwd: place,
    env: geminiEnvironment(home, portOf(model)),
  })
  return stdout + stderr
}

function installed(): string {
  const program = findGemini(INSTALLED)
  if (program !== undefined) return program
  throw new Error(
    `There is no Gemini CLI in ${INSTALLED}: run \`npm ci\` there (\`npm test\` does it for you).`,
  )
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

async function ask(...args: string[]) {
  const where = ['--data-dir', join(folder, 'data'), '--cache-dir', join(folder, 'cache'), '--home', home]
  const { code, stdout, stderr } = await runProgram([...args, '--json', ...where])
  if (stdout === '') throw new Error(`Nothing was answered to ${args.join(' ')}: ${stderr}`)
  return { code, stderr, answer: JSON.parse(stdout) }
}

/** What the CLI tells the model of a session when it goes on with it: the conversation as it loaded it. */
async function resumed(sessionId: string): Promise<unknown[]> {
  sent = []
  await gemini('--resume', sessionId, '-p', 'Please list files here', '--yolo')
  const first = sent.find(({ contents }) => JSON.stringify(contents).includes('Please list files here'))
  return first?.contents ?? []
}

const tmpFolder = () => join(home, '.gemini', 'tmp')
const chatFolders = () =>
  readdirSync(tmpFolder(), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('chats'))
    .map((name) => join(tmpFolder(), name))
const chatFolder = () => chatFolders()[0] ?? ''
const chatFiles = (folder = chatFolder()) => readdirSync(folder).filter((name) => name.startsWith('session-'))

/** As if the CLI had been used an hour ago: what grew within two minutes is not touched. */
function makeQuiet(): void {
  const ago = (ms: number) => new Date(ms - 3_600_000)
  for (const path of chatFolders().flatMap((chats) => chatFiles(chats).map((name) => join(chats, name)))) {
    const text = readFileSync(path, 'utf8')
    writeFileSync(
      path,
      text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => ago(Date.parse(time)).toISOString()),
    )
    utimesSync(path, ago(Date.now()), ago(Date.now()))
  }
}

/** A start of the CLI when nobody went on with this session for 40 days. */
async function aMonthLater(log: string): Promise<void> {
  const old = new Date(Date.now() - 40 * DAY_MS).toISOString()
  const text = readFileSync(log, 'utf8')
  writeFileSync(log, text.replace(/"lastUpdated":(\s?)"[^"]+"/g, `"lastUpdated":$1"${old}"`))
  await gemini('-p', 'a month later', '--yolo')
}

describe.runIf(process.platform !== 'win32' && WITHOUT_CLI === '')(
  `a session that is recovered${WITHOUT_CLI}`,
  () => {
    test('is found and loaded by Gemini CLI as it was, survives two starts, and is deleted when it is old', async () => {
      expect((await ask('keep', 'on')).code).toBe(0)
      const before = sessionListSchema.parse((await ask('list')).answer).sessions
      const [{ key, sessionId, counts } = { key: '', sessionId: '', counts: null }] = before
      const messages = (await ask('show', key)).answer.messages
      cpSync(join(home, '.gemini'), join(folder, 'copy'), { recursive: true })
      const told = await resumed(sessionId)
      expect(JSON.stringify(told)).toContain('Read the price file')
      rmSync(join(home, '.gemini'), { recursive: true })
      cpSync(join(folder, 'copy'), join(home, '.gemini'), { recursive: true, preserveTimestamps: true })
      for (const name of chatFiles()) rmSync(join(chatFolder(), name))

      expect(await listed()).not.toContain(sessionId)
      const dry = recoverAnswerSchema.parse((await ask('recover', key)).answer)
      expect(dry).toMatchObject({
        refused: [],
        written: null,
        writes: [{ path: expect.stringContaining('/chats/session-') }],
      })
      expect(dry.notes.join(' ')).toContain('30 days')
      expect(chatFiles()).toEqual([])
      const { code, stderr, answer } = await ask('recover', key, '--write')
      expect([code, stderr, answer.refused]).toEqual([0, '', []])
      const [file = ''] = chatFiles()
      const [row] = sessionListSchema.parse((await ask('list')).answer).sessions
      expect(row).toMatchObject({ key, sessionId, deletedSeen: null, counts })
      const now = (await ask('show', key)).answer.messages
      expect(now.map(withoutPlace)).toEqual(messages.map(withoutPlace))

      expect(await listed()).toContain(sessionId)
      for (const prompt of ['first start', 'second start']) await gemini('-p', prompt, '--yolo')
      expect(chatFiles()).toContain(file)
      expect(await resumed(sessionId)).toEqual(told)
      expect(chatFiles()).toContain(file)

      await aMonthLater(join(chatFolder(), file))
      expect(chatFiles()).not.toContain(file)
    }, 600_000)
  },
)

describe.runIf(process.platform !== 'win32' && WITHOUT_CLI === '')(
  `a session that is moved${WITHOUT_CLI}`,
  () => {
    test('is found and loaded by Gemini CLI in the other folder, survives two starts there, and is deleted when it is old', async () => {
      place = project
      await gemini('-p', 'Read the price file', '--yolo')
      makeQuiet()
      const before = sessionListSchema.parse(
        (await ask('list', '--deleted', 'exclude', '--limit', '1')).answer,
      )
      const { key, sessionId } = before.sessions[0] ?? { key: '', sessionId: '' }
      const messages = (await ask('show', key)).answer.messages
      cpSync(join(home, '.gemini'), join(folder, 'before'), { recursive: true, preserveTimestamps: true })
      const told = await resumed(sessionId)
      expect(JSON.stringify(told)).toContain('Read the price file')
      rmSync(join(home, '.gemini'), { recursive: true })
      cpSync(join(folder, 'before'), join(home, '.gemini'), { recursive: true, preserveTimestamps: true })

      place = join(home, 'store')
      mkdirSync(place)
      writeFileSync(join(place, 'price.js'), '')
      const others = chatFolders()
      await gemini('-p', 'hello', '--yolo')
      const chats = chatFolders().find((each) => !others.includes(each)) ?? ''
      const { answer, stderr } = await ask('move', key, '--to', place, '--write')
      expect([stderr, moveAnswerSchema.parse(answer).refused]).toEqual(['', []])
      expect(answer.notes.join(' ')).toContain('30 days')
      expect(await listed()).toContain(sessionId)
      const { sessions } = sessionListSchema.parse((await ask('list')).answer)
      const row = sessions.find((each) => each.key === key)
      expect(row?.project.path).toBe(place)
      const now = (await ask('show', key)).answer.messages
      expect(now.map(withoutPlace)).toEqual(messages.map(withoutPlace))

      const [file = ''] = answer.writes.flatMap(({ path }: { path: string }) => path.split('/').at(-1) ?? [])
      await gemini('-p', 'first start', '--yolo')
      expect(chatFiles(chats)).toContain(file)
      // The second start; all but the folder, which the CLI tells anew.
      const [to = '', from = ''] = [others[0] ?? '', chats].map((each) => basename(dirname(each)))
      const inStore = JSON.stringify(await resumed(sessionId)).replaceAll(from, to)
      expect(JSON.parse(inStore.replaceAll('/store', '/shop'))).toEqual(told)
      expect(chatFiles(chats)).toContain(file)

      await aMonthLater(join(chats, file))
      expect(chatFiles(chats)).not.toContain(file)
    }, 600_000)
  },
)

function withoutPlace({ source: _, ...message }: { source: unknown }): object {
  return message
}
