import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Health, SearchResult, SessionList, UsageReport } from '@gemini-dash/api'
import { test as base, expect } from 'vitest'
import { FAULT_SHIM } from './fault-shim.ts'
import { fixtureHome } from './open-test-server.ts'
import { type Finished, type RunningProgram, runProgram, startProgram } from './run-program.ts'

export const WAIT = { timeout: 60_000, interval: 200 }

export interface Answers {
  sessions: SessionList['sessions']
  unread: SessionList['unread']
  usage: UsageReport
  hits: SearchResult['hits']
}

/** The built program on a copy of a home, while the system fails calls as the test specifies. */
export class FaultyProgram {
  folder = ''
  home = ''
  env: Record<string, string> = {}
  /** The folder options of each run. */
  own: string[] = []
  #running: RunningProgram | null = null
  #port = 0

  begin(): void {
    this.folder = mkdtempSync(join(tmpdir(), 'gemini-dash-faults-'))
    this.home = join(this.folder, '.gemini')
    cpSync(join(fixtureHome('0.61.0'), '.gemini'), this.home, { recursive: true })
    const shim = join(this.folder, 'shim.cjs')
    writeFileSync(shim, FAULT_SHIM)
    this.env = { NODE_OPTIONS: `--require ${shim}`, FAULT_CONTROL: join(this.folder, 'control') }
    const [cache, data] = [join(this.folder, 'cache'), join(this.folder, 'data')]
    this.own = ['--home', this.home, '--cache-dir', cache, '--data-dir', data]
  }

  async end(): Promise<void> {
    await this.stop()
    rmSync(this.folder, { recursive: true })
  }

  /** From now on these calls fail for each path that contains this part. */
  fault(code: string, part: string, calls: string[]): void {
    writeFileSync(join(this.folder, 'control'), JSON.stringify({ code, part, calls }))
  }

  heal(): void {
    rmSync(join(this.folder, 'control'))
  }

  run(args: string[]): Promise<Finished> {
    return runProgram([...args, ...this.own], this.env)
  }

  /** Resolves when everything that can be read is indexed. */
  async serve(): Promise<void> {
    const args = ['serve', '--no-open', '--no-token', '--json', '--port', '0', ...this.own]
    this.#running = startProgram(args, this.env)
    this.#port = JSON.parse(await this.#running.firstLine).port
    await expect.poll(async () => (await this.get<Health>('/api/health')).index.state, WAIT).toBe('ready')
  }

  async stop(): Promise<void> {
    // an index that is cut off before it is sealed is built anew, and knows nothing of what cannot be read now
    if (this.#running !== null) await expect.poll(() => this.#isSealed(), WAIT).toBe(true)
    this.#running?.child.kill()
    await this.#running?.finished
    this.#running = null
  }

  /** Whether the sum of each database was written after the database. */
  #isSealed(): boolean {
    const cache = join(this.folder, 'cache')
    const writtenMs = (path: string) => statSync(join(cache, path), { throwIfNoEntry: false })?.mtimeMs ?? 0
    const files = existsSync(cache) ? readdirSync(cache, { recursive: true, encoding: 'utf8' }) : []
    const databases = files.filter((path) => path.endsWith('.db'))
    return databases.every((path) => writtenMs(`${path}.sum`) >= writtenMs(path))
  }

  forgetCache(): void {
    rmSync(join(this.folder, 'cache'), { recursive: true })
  }

  async get<Answer>(path: string): Promise<Answer> {
    return (await (await fetch(`http://127.0.0.1:${this.#port}${path}`)).json()) as Answer
  }

  list(): Promise<SessionList> {
    return this.get('/api/sessions?kind=all&tz=UTC')
  }

  async answers(): Promise<Answers> {
    const { sessions, unread } = await this.list()
    const usage = await this.get<UsageReport>('/api/usage?tz=UTC')
    const { hits } = await this.get<SearchResult>('/api/search?q=the&limit=1000')
    return { sessions, unread, usage, hits }
  }

  async untilHealed(): Promise<void> {
    await expect.poll(async () => (await this.list()).unread, WAIT).toBeUndefined()
  }
}

/** With a program of its own for each test. */
export const it = base.extend<{ program: FaultyProgram }>({
  program: async ({ task: _ }, use) => {
    const program = new FaultyProgram()
    program.begin()
    await use(program)
    await program.end()
  },
})
