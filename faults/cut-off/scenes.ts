import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { machineTime } from '../../fixtures/machine-time.ts'
import type { SessionList } from '../../packages/api/src/index.ts'
import { Archive, readVersion } from '../../packages/archive/src/index.ts'

/** A Gemini folder with data and cache folders, and the built program for them. */
export interface Stage {
  root: string
  home: string
  data: string
  cache: string
  /** Resolves to the exit code and the output. */
  run: (args: string[]) => Promise<Ended>
}

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

/** A command that changes something, and a check that it was completed. */
export interface Scene {
  name: 'move' | 'recover' | 'keep' | 'forget'
  /** Creates the initial state in an empty stage. */
  prepare: (stage: Stage) => Promise<void>
  args: (stage: Stage) => string[]
  /** The folders it changes. */
  changes: readonly ('home' | 'data' | 'cache')[]
  /** Problems after the command was run until it succeeded. `told`: its last output. */
  findWrong: (stage: Stage, told: Ended) => Promise<string[]>
}

const IDS = ['a0a0a0a0', 'b0b0b0b0', 'c0c0c0c0'].map((start) => `${start}-1111-4111-8111-111111111111`)
const [FIRST = ''] = IDS
const PROMPT = 'canaryprompt of the first session'

const logOf = (id: string, folder = 'shop') =>
  `tmp/${folder}/chats/session-2026-11-20T10-00-${id.slice(0, 8)}.jsonl`
const AGENT = `chats/${FIRST}/abcdef.jsonl`
const OUTPUT = `tool-outputs/session-${FIRST}/run_1.txt`

export const scenes: readonly Scene[] = [
  {
    name: 'move',
    prepare: writeProject,
    args: ({ root }) => ['move', '--project', 'shop', '--to', join(root, 'new'), '--write'],
    changes: ['home', 'data'],
    findWrong: async (stage, { stdout }) => {
      const wrong = [
        ...expectLogs(stage, 'new', IDS),
        ...expectCopies(stage, 'new'),
        ...(await expectProject(stage)),
      ]
      const id = /--undo (\w+)/.exec(stdout)?.[1]
      if (id === undefined) return wrong
      const { code, stderr } = await stage.run(['move', '--undo', id])
      const left = filesIn(join(stage.home, 'tmp', 'new')).filter((path) => path !== '.project_root')
      return [
        ...wrong,
        ...(code === 0 ? [] : [`undo ended with ${code}: ${stderr}`]),
        ...left.map((path) => `${path} is left after undo`),
      ]
    },
  },
  {
    name: 'recover',
    prepare: async (stage) => {
      await writeProject(stage)
      await stage.run(['keep', 'on'])
      for (const path of [logOf(FIRST), `tmp/shop/chats/${FIRST}`, `tmp/shop/${OUTPUT}`])
        rmSync(join(stage.home, path), { recursive: true })
    },
    args: () => ['recover', FIRST, '--write'],
    changes: ['home', 'data'],
    findWrong: async (stage) => [...expectLogs(stage, 'shop', IDS), ...expectCopies(stage, 'shop')],
  },
  {
    name: 'keep',
    prepare: async (stage) => {
      await writeProject(stage)
      await stage.run(['keep', 'on'])
      write(stage, logOf(FIRST), logText(FIRST, 6))
      write(stage, logOf('d0d0d0d0'), logText('d0d0d0d0', 2))
      rmSync(join(stage.home, logOf(IDS[1] ?? '')))
    },
    args: () => ['keep', 'now'],
    changes: ['data'],
    findWrong: expectKept,
  },
  {
    name: 'forget',
    prepare: async (stage) => {
      await writeProject(stage)
      await stage.run(['keep', 'on'])
      for (const path of [logOf(FIRST), `tmp/shop/chats/${FIRST}`, `tmp/shop/${OUTPUT}`])
        rmSync(join(stage.home, path), { recursive: true })
      await stage.run(['list'])
    },
    args: () => ['forget', FIRST, '--yes'],
    changes: ['data', 'cache'],
    findWrong: expectForgotten,
  },
]

async function writeProject(stage: Stage): Promise<void> {
  mkdirSync(join(stage.root, 'new'), { recursive: true })
  write(stage, 'tmp/shop/.project_root', join(stage.root, 'shop'))
  write(stage, 'tmp/new/.project_root', join(stage.root, 'new'))
  for (const id of IDS) write(stage, logOf(id), logText(id, 4))
  write(stage, `tmp/shop/${AGENT}`, logText('abcdef', 2, 'subagent'))
  write(stage, `tmp/shop/${OUTPUT}`, 'canaryoutput of a tool')
}

/** Written an hour ago: sessions that are still growing are not recovered. */
function write({ home }: Stage, path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), text)
  const hourAgo = machineTime().getTime() / 1000 - 3600
  utimesSync(join(home, path), hourAgo, hourAgo)
}

function logText(sessionId: string, count: number, kind = 'main'): string {
  const time = '2026-11-20T10:00:00.000Z'
  const head = { sessionId, projectHash: 'f'.repeat(64), startTime: time, lastUpdated: time, kind }
  const rows = Array.from({ length: count }, (_, row) => ({
    id: `${sessionId}-${row}`,
    timestamp: time,
    ...(row % 2 === 0
      ? { type: 'user', content: [{ text: sessionId === FIRST ? PROMPT : `prompt ${row}` }] }
      : { type: 'gemini', content: `answer ${row}` }),
  }))
  return [head, ...rows].map((row) => `${JSON.stringify(row)}\n`).join('')
}

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
}

/** Expects exactly one complete log of each session. */
function expectLogs({ home }: Stage, folder: string, ids: readonly string[]): string[] {
  const place = join(home, 'tmp', folder)
  const texts = filesIn(place)
    .filter((path) => /^chats\/session-[^/]*$/.test(path))
    .map((path) => readFileSync(join(place, path), 'utf8'))
  const unfinished = filesIn(place).filter((path) => path.endsWith('.part'))
  return [
    ...unfinished.map((path) => `${path} is left`),
    ...ids.flatMap((id) => {
      const whole = texts.filter((text) => text.includes(`"${id}-3"`)).length
      return whole === 1 ? [] : [`${whole} whole logs of ${id} are in ${folder}`]
    }),
    ...(texts.length === ids.length ? [] : [`${texts.length} logs are in ${folder}`]),
  ]
}

/** Expects the files that belong to the first session. */
function expectCopies({ home }: Stage, folder: string): string[] {
  return [AGENT, OUTPUT].flatMap((path) =>
    existsSync(join(home, 'tmp', folder, path)) ? [] : [`${path} is not in ${folder}`],
  )
}

async function listed(stage: Stage): Promise<SessionList['sessions']> {
  const { stdout } = await stage.run(['list', '--json'])
  return (JSON.parse(stdout) as SessionList).sessions
}

async function expectProject(stage: Stage): Promise<string[]> {
  const rows = await listed(stage)
  const elsewhere = rows.filter(({ project }) => project.path !== join(stage.root, 'new'))
  return [
    ...elsewhere.map(({ sessionId, project }) => `${sessionId} is listed in ${project.path}`),
    ...(rows.length === IDS.length ? [] : [`${rows.length} sessions are listed`]),
  ]
}

function openArchive({ data }: Stage): Archive {
  const parent = join(data, 'archive')
  const archive = new Archive(join(parent, readdirSync(parent)[0] ?? 'none'))
  archive.refresh()
  return archive
}

/** Expects each file to be archived unchanged, deleted ones to be listed as such, and a clean status. */
async function expectKept(stage: Stage): Promise<string[]> {
  const archive = openArchive(stage)
  const wrong: string[] = []
  for (const path of filesIn(stage.home)) {
    const version = archive.manifest.find(path)?.versions.at(-1)
    const pieces: Uint8Array[] = []
    if (version !== undefined) for await (const piece of readVersion(archive, version)) pieces.push(piece)
    if (!Buffer.concat(pieces).equals(readFileSync(join(stage.home, path))))
      wrong.push(`${path} is not kept as it is`)
  }
  const { problem, damaged } = JSON.parse((await stage.run(['keep', 'status', '--json'])).stdout)
  if (problem !== null || damaged !== 0) wrong.push(`status: ${problem}, ${damaged} damaged`)
  const deleted = (await listed(stage)).filter(({ deletedSeen }) => deletedSeen !== null)
  if (deleted.length !== 1 || deleted[0]?.sessionId !== IDS[1])
    wrong.push(`${deleted.length} sessions are listed as deleted`)
  return wrong
}

/** Expects no trace of the session in our folders, and the others to be listed. */
async function expectForgotten(stage: Stage): Promise<string[]> {
  const wrong: string[] = []
  for (const folder of [stage.data, stage.cache])
    for (const path of filesIn(folder))
      if (/canary|a0a0a0a0/.test(`${path} ${readFileSync(join(folder, path), 'latin1')}`))
        wrong.push(`${path} holds something of it`)
  for (const { path } of openArchive(stage).manifest.files())
    if (path.includes(FIRST.slice(0, 8))) wrong.push(`the archive holds ${path}`)
  if (existsSync(join(stage.data, 'forgetting'))) wrong.push('it is being forgotten yet')
  const left = (await listed(stage)).map(({ sessionId }) => sessionId).sort()
  if (left.join(' ') !== IDS.slice(1).join(' ')) wrong.push(`listed: ${left.join(' ')}`)
  return wrong
}
