import { homedir } from 'node:os'
import type { GeminiHome } from 'gemini-sessions/node'
import { escapeLine } from '../print/escape-controls.ts'
import { formatCount } from '../print/format-figures.ts'
import { jsonLine } from '../print/json-line.ts'
import type { Store } from '../store/store.ts'
import { VERSION } from '../terminal/version.ts'
import { openInBrowser } from './open-in-browser.ts'
import type { RunningServer } from './running/running-servers.ts'
import type { Serving } from './serving.ts'
import { whyNotOpen } from './why-not-open.ts'

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
