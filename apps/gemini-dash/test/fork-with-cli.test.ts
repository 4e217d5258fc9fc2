import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
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
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { forkAnswerSchema, sessionListSchema } from '@gemini-dash/api'
import { buildOutline, type Message, parseSessionFile, type Turn } from 'gemini-sessions'
import { readSessions } from 'gemini-sessions/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WITHOUT_CLI } from '../../../fixtures/installed-tools.ts'
import { machineTime } from '../../../fixtures/machine-time.ts'
import { seededRandom } from '../../../fixtures/seeded-random.ts'
import { findGemini, geminiEnvironment, prepareHome, runGemini } from '../../../scripts/newest-cli/gemini.mjs'
import { listenAsModel } from '../../../scripts/newest-cli/model-stand-in.mjs'
import { type RunningProgram, startProgram } from './run-program.ts'

// Sessions are forked at random turns and resumed by Gemini CLI itself; what it sends to its model is compared. More of them, and other
// versions: FORKS=25 SEED=2 GEMINI_CLI=/folder/with/node_modules.
const INSTALLED =
  process.env.GEMINI_CLI ?? fileURLToPath(new URL('../../../tools/gemini-cli', import.meta.url))
const FORKS = Number(process.env.FORKS ?? 2)
const FIXTURES = fileURLToPath(new URL('../../../fixtures/homes', import.meta.url))
/** A start of the CLI mostly waits. */
const AT_ONCE = Number(process.env.AT_ONCE ?? 2)

interface Fork {
  sessionId: string
  /** Relative to the home. */
  file: string
}

let folder: string
let home: string
let project: string
let model: Server
let port: number
let program: RunningProgram
/** What was sent to the model, by the new prompt. */
const sent = new Map<string, { contents: { parts: Part[] }[] }>()
interface Row {
  type: string
  content: string | Part | (string | Part)[]
}
interface Part {
  text?: string
  thought?: boolean
}

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-dash-test-')))
  model = await listenAsModel(folder)
  const address = model.address()
  port = typeof address === 'object' ? (address?.port ?? 0) : 0
  model.on('request', (request: IncomingMessage) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      const prompt = /Go on from here \d+\./.exec(text)?.[0]
      if (prompt !== undefined && text.includes('functionDeclarations') && !sent.has(prompt))
        sent.set(prompt, JSON.parse(text))
    })
  })
})
afterAll(async () => {
  program?.child.kill()
  model?.close()
  rmSync(folder, { recursive: true, force: true })
})

describe.runIf(process.platform !== 'win32' && WITHOUT_CLI === '')(`Gemini CLI${WITHOUT_CLI}`, () => {
  test(
    'a fork is listed, and resumed with exactly the turns before it',
    async () => {
      const gemini = findGemini(INSTALLED)
      if (gemini === undefined)
        throw new Error(`There is no Gemini CLI in ${INSTALLED}: run \`npm ci\` there.`)
      copySessions(gemini)
      const forks = await forkSome()
      const env = geminiEnvironment(dirname(home), port)
      const list = [gemini, '--list-sessions']
      const listed = await promisify(execFile)(process.execPath, list, { cwd: project, env })
      for (const { sessionId } of forks) expect(listed.stdout + listed.stderr).toContain(`[${sessionId}]`)

      const left = [...forks.entries()]
      const resumeOne = async (): Promise<void> => {
        const [number, fork] = left.pop() ?? []
        if (fork === undefined) return
        const { sessionId, file } = fork
        const before = rowsOf(file)
        const prompt = `Go on from here ${number}.`
        const args = ['--resume', sessionId, '-m', 'gemini-2.5-pro', '-p', prompt, '--yolo']
        await runGemini(gemini, { home: dirname(home), folder: project, port, args, isQuiet: true })
        const texts = (sent.get(prompt)?.contents ?? []).flatMap(({ parts }) => parts.flatMap(spokenText))
        expect(texts, file).toEqual([...before.flatMap(textsOf), prompt])
        return resumeOne()
      }
      await Promise.all(Array.from({ length: AT_ONCE }, resumeOne))
    },
    600_000 + FORKS * 60_000,
  )
})

/** One project with the sessions of its version and of earlier ones, last written an hour ago. */
function copySessions(gemini: string): void {
  const { version } = JSON.parse(readFileSync(join(dirname(dirname(gemini)), 'package.json'), 'utf8'))
  home = join(folder, 'mia', '.gemini')
  project = join(folder, 'shop')
  prepareHome(dirname(home), project)
  const own = join(home, 'tmp', 'shop')
  mkdirSync(own, { recursive: true })
  writeFileSync(join(own, '.project_root'), project)
  writeFileSync(join(home, 'projects.json'), JSON.stringify({ projects: { [project]: 'shop' } }))
  const written = readdirSync(FIXTURES).filter((name) => isNotNewer(name, version))
  for (const tmp of written.map((name) => join(FIXTURES, name, '.gemini', 'tmp')))
    for (const name of readdirSync(tmp))
      if (existsSync(join(tmp, name, 'chats')))
        cpSync(join(tmp, name, 'chats'), join(own, 'chats'), { recursive: true })
  const anHourAgo = machineTime().getTime() / 1000 - 3600
  for (const path of readdirSync(own, { recursive: true, encoding: 'utf8' }))
    utimesSync(join(own, path), anHourAgo, anHourAgo)
  const where = ['--home', home, '--data-dir', join(folder, 'data'), '--cache-dir', join(folder, 'cache')]
  program = startProgram(['serve', '--json', '--no-token', '--no-open', '--port', '0', ...where])
}

/** `0.30.1-interactive` next to `0.39.1`. */
function isNotNewer(fixture: string, version: string): boolean {
  const minorOf = (text: string) => Number(text.split('.')[1])
  return minorOf(fixture) <= minorOf(version)
}

/** Random sessions at random turns. */
async function forkSome(): Promise<Fork[]> {
  const { url } = JSON.parse(await program.firstLine) as { url: string }
  const ask = async (path: string, method = 'GET'): Promise<unknown> => {
    const headers = { 'content-type': 'application/json', origin: new URL(url).origin }
    const how = method === 'GET' ? {} : { method, body: '{}', headers }
    return (await fetch(new URL(path, url), how)).json()
  }
  const { sessions } = sessionListSchema.parse(await ask('/api/sessions?empty=exclude&limit=1000'))
  const turns = new Map<string, Turn[]>()
  for await (const { session } of readSessions({ homes: [home] }))
    turns.set(session.key, buildOutline(session).turns)
  const places = sessions.flatMap(({ key }) =>
    (turns.get(key) ?? []).flatMap(({ number }) => (number > 1 ? [{ key, number }] : [])),
  )
  expect(places.length).toBeGreaterThan(5)
  if (process.env.FORKS !== undefined) console.log(`${places.length} turns of ${turns.size} sessions`)
  const random = seededRandom(Number(process.env.SEED ?? 1))
  const forks: Fork[] = []
  while (forks.length < FORKS) {
    const { key, number } = random.pick(places)
    const path = `/api/sessions/${key}/fork?at=${number}&write=true`
    const { refused, sessionId, writes } = forkAnswerSchema.parse(await ask(path, 'POST'))
    // A cleared or rewound conversation may have nothing before the turn.
    if (refused.every(({ code }) => code === 'nothing-before') && refused.length > 0) continue
    expect([refused, sessionId === null], `${key} before ${number}`).toEqual([[], false])
    const before = (turns.get(key) ?? []).filter((turn) => turn.number > 0 && turn.number < number)
    const [{ path: file } = { path: '' }] = writes
    forks.push({ sessionId: sessionId ?? '', file })
    // If nothing was rewound, it has the prompts of the turns before.
    if (before.every(({ superseded }) => superseded === null))
      expect(promptsIn(file)).toHaveLength(before.length)
  }
  return forks
}

function promptsIn(file: string): Message[] {
  const { messages } = parseSessionFile({ path: file, bytes: readFileSync(join(home, file)) })
  return messages.filter(({ origin, agentKey }) => origin === 'human' && agentKey === null)
}

/** The texts of a message that are sent to the model. Commands of the CLI and its own context are not sent again. */
function textsOf({ type, content }: Row): string[] {
  if (type !== 'user' && type !== 'gemini') return []
  const texts = [content]
    .flat()
    .flatMap((part) => spokenText(typeof part === 'string' ? { text: part } : part))
  return type === 'user' && /^[/?]/.test(texts[0] ?? '') ? [] : texts
}

function spokenText({ text, thought }: Part): string[] {
  const said = text?.trim() ?? ''
  return thought === true || said === '' || OF_THE_CLI.test(said) ? [] : [said]
}

/** Added by the CLI itself at each resume. */
const OF_THE_CLI = /^(<session_context>|\[The previous response was interrupted)/

function rowsOf(file: string): Row[] {
  const text = readFileSync(join(home, file), 'utf8')
  if (file.endsWith('.json')) return JSON.parse(text).messages
  const [, ...lines] = text.trim().split('\n')
  return lines.map((line) => JSON.parse(line))
}
