import { randomBytes } from 'node:crypto'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { formatPlural } from '@gemini-dash/api/figures'
import type { Project } from 'gemini-sessions'
import type { GeminiHome } from 'gemini-sessions/node'
import open from 'open'
import type { Access } from '../access.ts'
import { type PathStyle, pathStyle } from '../paths.ts'
import { escapeControls, escapeLine } from '../print/escape-controls.ts'
import { jsonLine } from '../print/json-line.ts'
import type { Store } from '../store/store.ts'
import type { WarningList } from '../store/warnings.ts'
import type { Terminal } from '../terminal/cli-error.ts'
import type { Flags } from '../terminal/flags.ts'
import { VERSION } from '../terminal/terminal.ts'
import type { RunningServer } from './running-servers.ts'
import { readAllowedHosts } from './serve-settings.ts'
import { removeAtEnd } from './thread.ts'

interface StartPlace {
  env: Readonly<Record<string, string | undefined>>
  platform: NodeJS.Platform
  isTerminal: boolean
}

const FILE_LIFETIME_MS = 60_000

/** Prints where the server is, and opens it: three lines for a person, one line of JSON for a script. */
export async function greet(
  serving: Serving,
  server: RunningServer & ({ store: Store } | { found: string }),
) {
  const { terminal, flags, access } = serving
  const { origin, port, pid, version, homes } = server
  const url = access === null ? `${origin}/` : `${origin}/?code=${access.codes.issue()}`
  if (flags.json) return terminal.write(jsonLine({ url, port, pid, version, homes }))

  const secret = () => (access === null ? '' : `?code=${access.codes.issue()}`)
  const others = readAllowedHosts(flags).map((host) => `           https://${host}/${secret()}`)
  const found = 'store' in server ? await whatIsFound(server.store, serving.homes) : server.found
  const stop = 'store' in server ? '  -  Ctrl+C to stop' : ''
  const lines = [
    `  gemini-dash ${VERSION}`,
    `  Local:   ${url}   (${await openUnlessUnwanted(url, serving)})`,
    ...others,
    flags.file === undefined
      ? `  Reading: ${serving.homes.map(shortPath).join(', ')}  -  ${found}${stop}`
      : `  Opened:  ${flags.file.map(escapeLine).join(', ')}${stop}`,
  ]
  if (flags.file !== undefined) lines.push('  Not in your history, not counted in usage.')
  await terminal.write(`${lines.join('\n')}\n`)
  if (process.env.SSH_CONNECTION) {
    terminal.note(`  From the machine in front of you: ssh -L ${port}:127.0.0.1:${port} <this host>`)
  }
}

async function openUnlessUnwanted(url: string, { flags, terminal, dataFolder }: Serving): Promise<string> {
  if (flags['no-open']) return 'open it in your browser'
  const { env, platform } = process
  const reason = whyNotOpen({ env, platform, isTerminal: terminal.columns !== null })
  if (reason !== null) return `not opened ${reason}`
  // Opening a browser requires a file.
  if (dataFolder === null) return 'open it in your browser'
  return (await openInBrowser(url, dataFolder)) ? 'opened in your browser' : 'no browser could be started'
}

async function whatIsFound(store: Store, homes: GeminiHome[]): Promise<string> {
  if (homes.every(({ exists }) => !exists)) return 'no sessions yet'
  const { total } = await store.sessions({ kind: 'main', sort: 'recent', limit: 0 })
  return `${formatPlural(store.projects().total, 'project')}, ${formatPlural(total, 'session')}`
}

function shortPath({ path }: GeminiHome): string {
  const home = homedir().replaceAll('\\', '/')
  return escapeLine(path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path)
}

/**
 * Opens a file that redirects to the URL, not the URL itself: every user of the machine can read the arguments of a process, but only this
 * user can read the file. Returns whether a browser could be started.
 */
async function openInBrowser(url: string, dataFolder: string): Promise<boolean> {
  const file = join(dataFolder, `open-${randomBytes(8).toString('hex')}.html`)
  const remove = () => rmSync(file, { force: true })
  try {
    writeFileSync(file, redirectPage(url), { mode: 0o600, flag: 'wx' })
    const browser = await open(file)
    browser.on('error', remove)
    // If the process ends sooner, the file is removed with it; by then its code is used or void.
    setTimeout(remove, FILE_LIFETIME_MS).unref()
    removeAtEnd(file)
    return true
  } catch {
    remove()
    return false
  }
}

function redirectPage(url: string): string {
  return `<!doctype html><meta charset="utf-8"><title>gemini-dash</title><meta http-equiv="refresh" content="0;url=${url}">\n`
}

/** Why no browser should be opened from here, as the end of a sentence; null if one may be. */
export function whyNotOpen({ env, platform, isTerminal }: StartPlace): string | null {
  const isWsl = env.WSL_DISTRO_NAME !== undefined
  if (env.CI) return 'in CI'
  if (env.SSH_CONNECTION || env.SSH_TTY) return 'over SSH'
  if (!isWsl && isContainer(env)) return 'in a container'
  if (!isTerminal) return 'without a terminal'
  const hasDisplay = Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
  if (!isWsl && !hasDisplay && platform !== 'darwin' && platform !== 'win32') return 'without a display'
  return null
}

function isContainer(env: StartPlace['env']): boolean {
  const isNamed = Boolean(env.CODESPACES || env.REMOTE_CONTAINERS)
  return isNamed || ['/.dockerenv', '/run/.containerenv'].some((path) => existsSync(path))
}

/** What one run of `serve` works with. */
export interface Serving {
  flags: Flags
  terminal: Terminal
  warnings: WarningList
  homes: GeminiHome[]
  /** null with `--no-cache`. */
  dataFolder: string | null
  /** null with `--no-token`. */
  access: Access | null
}

/** The page of the project that contains a folder, the innermost of several; else the first page. */
export function landingPath(
  projects: Project[],
  folder: string | null,
  style: PathStyle = pathStyle(),
): string {
  if (folder === null) return '/'
  const around = projects.filter(({ path }) => path !== null && style.isWithin(folder, path))
  const [innermost] = around.toSorted((a, b) => (b.path?.length ?? 0) - (a.path?.length ?? 0))
  return innermost === undefined ? '/' : `/p/${encodeURIComponent(innermost.key)}`
}

/** The page of the one session that was opened; for several, the list including sub-agents and saved chats. */
export function landingPathOfOpened(onlyKey: string | null): string {
  return onlyKey === null ? '/?kind=all' : `/s/${encodeURIComponent(onlyKey)}`
}

export interface Problem {
  id: string
  route: string
  error: unknown
}

/** Reports the position but not the message: JSON.parse and zod quote their input, which is a transcript. */
export function reportProblem({ id, route, error }: Problem, terminal: Terminal): void {
  const name = error instanceof Error ? error.name : typeof error
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line))
  const place = frames.join('\n').replaceAll(homedir(), '~')
  terminal.note(escapeControls(`Problem ${id} in ${route}: ${name}\n${place}`))
}
