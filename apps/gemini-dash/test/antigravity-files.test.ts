import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { SessionList } from '@gemini-dash/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agyOpening, agyScript } from '../../../fixtures/antigravity/agy-conversation.ts'
import {
  AGY_CANARY,
  writeAgyCanaries,
  writeAgyConversation,
} from '../../../fixtures/antigravity/write-agy-home.ts'
import { runProgram, startProgram } from './run-program.ts'

const CONVERSATION_FOLDER = 'antigravity-cli'
const ENCRYPTED_ID = '22222222-0b7e-4c11-9d58-6a1f0e2b7c90'
const CHUNKED_ID = '55555555-0b7e-4c11-9d58-6a1f0e2b7c90'

/** Contract rule 17: what may be opened, with `ID` for an id. */
const OPENED = [
  'annotations/ID.pbtxt',
  'brain/ID/.system_generated/logs/chunks/transcript/00000000.jsonl',
  'brain/ID/.system_generated/logs/chunks/transcript_full/00000000.jsonl',
  'brain/ID/.system_generated/logs/transcript.jsonl',
  'brain/ID/.system_generated/logs/transcript_full.jsonl',
  'brain/ID/plan.md',
  'brain/ID/plan.md.metadata.json',
  'cache/last_conversations.json',
  'conversations/ID.db',
  'conversations/ID.db-wal',
  'history.jsonl',
]
/** What may be listed. */
const LISTED = [
  '',
  'annotations',
  'brain',
  'brain/ID',
  'brain/ID/.system_generated/logs/chunks/transcript',
  'brain/ID/.system_generated/logs/chunks/transcript_full',
  'brain/ID/.system_generated/subagents',
  'conversations',
]

/** Why tracing is not possible; null if it is. */
const NO_STRACE = whyNoTrace()

function whyNoTrace(): string | null {
  if (process.platform !== 'linux') return 'strace is of Linux'
  try {
    execFileSync('strace', ['-e', 'trace=none', 'true'], { stdio: 'ignore' })
    return null
  } catch {
    return 'strace is not installed, or may trace nothing here'
  }
}

let folder: string
const homeOf = (name: string) => join(folder, name, '.gemini')

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-agy-files-'))
  const home = homeOf('both')
  writeAgyCanaries(home)
  const script = agyScript(agyOpening(), { annotation: 'A name', artifacts: { 'plan.md': '# Plan' } })
  writeAgyConversation(home, script)
  writeAgyConversation(home, agyScript(agyOpening(), { id: CHUNKED_ID }))
  const logs = join(home, CONVERSATION_FOLDER, `brain/${CHUNKED_ID}/.system_generated/logs`)
  for (const name of ['transcript', 'transcript_full']) rmSync(join(logs, `${name}.jsonl`))
  const nothing = { database: false, transcripts: false, hasEncrypted: true } as const
  writeAgyConversation(home, agyScript([], { id: ENCRYPTED_ID }), nothing)
  for (const path of CANARIES) {
    mkdirSync(dirname(join(home, CONVERSATION_FOLDER, path)), { recursive: true })
    appendFileSync(join(home, CONVERSATION_FOLDER, path), AGY_CANARY)
  }
  mkdirSync(join(home, CONVERSATION_FOLDER, 'cache'), { recursive: true })
  writeFileSync(join(home, CONVERSATION_FOLDER, 'cache/last_conversations.json'), '{}')
  for (const name of ['both', 'gemini']) {
    mkdirSync(join(homeOf(name), 'tmp/shop/chats'), { recursive: true })
    writeFileSync(join(homeOf(name), 'tmp/shop/.project_root'), '/home/someone/shop')
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Files of every other kind that agy stores. */
const CANARIES = [
  'log/cli-1.log',
  'bin/agy',
  'mcp/servers.json',
  'knowledge/a.md',
  'crashes/a.txt',
  'keybindings.json',
  'cache/projects.json',
  'cache/conversation_metadata.json',
  `conversations/${ENCRYPTED_ID}.meta`,
  `brain/${CHUNKED_ID}/picture.png`,
  `brain/${CHUNKED_ID}/scratch/note.md`,
  `brain/${CHUNKED_ID}/.system_generated/messages/a.json`,
  `brain/${CHUNKED_ID}/.system_generated/tasks/task-3.log`,
  `brain/${CHUNKED_ID}/.system_generated/steps/3/output.txt`,
]

const own = (name: string) => [
  ...['--home', join(folder, name), '--cache-dir', join(folder, 'cache')],
  ...['--data-dir', join(folder, 'data')],
]

describe('files of Antigravity CLI', { timeout: 120_000 }, () => {
  it('that are none of a conversation leave no word in any answer', async () => {
    for (const args of [
      ['list', '--json'],
      ['doctor', '--json'],
      ['search', AGY_CANARY, '--mode', 'substring', '--json'],
    ]) {
      const { stdout, stderr } = await runProgram([...args, ...own('both')])
      const said = stdout.replaceAll(JSON.stringify(AGY_CANARY), '')
      expect(said + stderr, args.join(' ')).not.toContain(AGY_CANARY)
    }
  })

  it.skipIf(NO_STRACE !== null)(
    `are opened as contract rule 17 lists them${NO_STRACE === null ? '' : `: ${NO_STRACE}`}`,
    async () => {
      const trace = await traceServer('both')
      const below = (path: string) =>
        path.slice(join(homeOf('both'), CONVERSATION_FOLDER).length + 1).replace(UUID, 'ID')
      const inLane = trace.filter(({ path }) => isIn(path, join(homeOf('both'), CONVERSATION_FOLDER)))
      const opened = inLane.filter(({ isFolder }) => !isFolder).map(({ path }) => below(path))
      const listed = inLane.filter(({ isFolder }) => isFolder).map(({ path }) => below(path))
      expect([...new Set(opened)].sort()).toEqual(OPENED)
      expect([...new Set(listed)].filter((path) => !LISTED.includes(path))).toEqual([])
      expect(inLane.filter(({ isWriting }) => isWriting)).toEqual([])
      const others = trace.filter(
        ({ path }) => /\/antigravity(-ide|-acp|-backup)?\//.test(path) && !path.includes(CONVERSATION_FOLDER),
      )
      expect(others.filter(({ isFolder }) => !isFolder)).toEqual([])
    },
  )

  it.skipIf(NO_STRACE !== null)(
    `of a home without it are none, and nothing of it is watched${NO_STRACE === null ? '' : `: ${NO_STRACE}`}`,
    async () => {
      const trace = await traceServer('gemini')
      expect(trace.filter(({ path }) => isIn(path, join(homeOf('gemini'), CONVERSATION_FOLDER)))).toEqual([])
    },
  )
})

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/

function isIn(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`)
}

interface Opened {
  path: string
  isFolder: boolean
  isWriting: boolean
}

/** What a server opens and watches while it shows everything in a home. */
async function traceServer(name: string): Promise<Opened[]> {
  const log = join(folder, `${name}.strace`)
  const before = [
    'strace',
    '-f',
    '-qq',
    '--seccomp-bpf',
    '-y',
    '-s',
    '4096',
    '-e',
    'trace=open,openat,inotify_add_watch',
    '-o',
    log,
  ]
  const args = ['serve', '--no-open', '--no-token', '--json', '--port', '0', ...own(name)]
  const program = startProgram(args, {}, undefined, before)
  const { port, pid } = JSON.parse(await program.firstLine)
  const get = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).json()
  const { sessions } = (await get('/api/sessions?kind=all&limit=50')) as SessionList
  for (const { key } of sessions)
    for (const question of ['', '/messages', '/neighbours', '/changes', '/cost'])
      await get(`/api/sessions/${key}${question}`)
  await get('/api/search?q=rounding&mode=substring')
  await get('/api/doctor')
  // The tracer ends with it, and ignores signals itself.
  process.kill(pid)
  await program.finished
  const lines = readFileSync(log, 'utf8').split('\n')
  return lines.flatMap((line) => {
    const opened = /\bopen(?:at)?\((?:[^"]*, )?"([^"]+)", ([A-Z_|]+).*\) = \d/.exec(line)
    const watched = /inotify_add_watch\([^"]*"([^"]+)"/.exec(line)
    const path = opened?.[1] ?? watched?.[1]
    if (path === undefined) return []
    const flags = opened?.[2] ?? 'O_DIRECTORY'
    return [{ path, isFolder: flags.includes('O_DIRECTORY'), isWriting: /O_(WRONLY|RDWR|CREAT)/.test(flags) }]
  })
}
