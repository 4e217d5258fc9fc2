import { randomBytes } from 'node:crypto'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { formatCount } from '@gemini-dash/api/figures'
import type { GeminiHome } from 'gemini-sessions/node'
import open from 'open'
import { escapeLine } from '../print/escape-controls.ts'
import { jsonLine } from '../print/json-line.ts'
import type { Store } from '../store/store.ts'
import { VERSION } from '../terminal/version.ts'
import type { RunningServer } from './running/running-servers.ts'
import type { Serving } from './serving.ts'
import { removeAtEnd } from './thread/main-thread.ts'

interface Desk {
  env: Readonly<Record<string, string | undefined>>
  platform: NodeJS.Platform
  isTerminal: boolean
}

const FILE_LIFETIME_MS = 60_000

/** Tells where the server is, and opens it: three lines for a person, one of JSON for a script. */
export async function greet(
  serving: Serving,
  server: RunningServer & ({ store: Store } | { found: string }),
) {
  const { terminal, flags, access } = serving
  const { origin, port, pid, version, homes } = server
  const url = access === null ? `${origin}/` : `${origin}/?code=${access.codes.issue()}`
  if (flags.json) return terminal.write(jsonLine({ url, port, pid, version, homes }))

  const found = 'store' in server ? await whatIsFound(server.store, serving.homes) : server.found
  const stop = 'store' in server ? '  -  Ctrl+C to stop' : ''
  const lines = [
    `  gemini-dash ${VERSION}`,
    `  Local:   ${url}   (${await openUnlessUnwanted(url, serving)})`,
    `  Reading: ${serving.homes.map(shortPath).join(', ')}  -  ${found}${stop}`,
  ]
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
  // The way to the browser leads through a file.
  if (dataFolder === null) return 'open it in your browser'
  return (await openInBrowser(url, dataFolder)) ? 'opened in your browser' : 'no browser could be started'
}

async function whatIsFound(store: Store, homes: GeminiHome[]): Promise<string> {
  if (homes.every(({ exists }) => !exists)) return 'no sessions yet'
  const { total } = await store.sessions({ kind: 'main', sort: 'recent', limit: 0 })
  return `${formatCount(store.projects().total)} projects, ${formatCount(total)} sessions`
}

function shortPath({ path }: GeminiHome): string {
  const home = homedir().replaceAll('\\', '/')
  return escapeLine(path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path)
}

/**
 * Opens a file that leads to the URL, not the URL itself: arguments of a process can be read by every user of
 * the machine, the file only by this one. Answers whether a browser could be started.
 */
async function openInBrowser(url: string, dataFolder: string): Promise<boolean> {
  const file = join(dataFolder, `open-${randomBytes(8).toString('hex')}.html`)
  const remove = () => rmSync(file, { force: true })
  try {
    writeFileSync(file, redirectPage(url), { mode: 0o600, flag: 'wx' })
    const browser = await open(file)
    browser.on('error', remove)
    // The process may end sooner, and takes the file with it; the code in it is used or void by then.
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

/** Why no browser should be opened from here, as the end of a sentence; null where one may be. */
export function whyNotOpen({ env, platform, isTerminal }: Desk): string | null {
  const isWsl = env.WSL_DISTRO_NAME !== undefined
  if (env.CI) return 'in CI'
  if (env.SSH_CONNECTION || env.SSH_TTY) return 'over SSH'
  if (!isWsl && isContainer(env)) return 'in a container'
  if (!isTerminal) return 'without a terminal'
  const hasDisplay = Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
  if (!isWsl && !hasDisplay && platform !== 'darwin' && platform !== 'win32') return 'without a display'
  return null
}

function isContainer(env: Desk['env']): boolean {
  const isNamed = Boolean(env.CODESPACES || env.REMOTE_CONTAINERS)
  return isNamed || ['/.dockerenv', '/run/.containerenv'].some((path) => existsSync(path))
}
