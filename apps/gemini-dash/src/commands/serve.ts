import { homedir } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { ownIdentity } from '@gemini-dash/session-index'
import { createAccess } from '../access/access.ts'
import { chooseHomes } from '../environment/choose-homes.ts'
import { lookForProjects } from '../environment/look-for-projects.ts'
import { openOwnFolder, ownFolder } from '../environment/own-folders.ts'
import { sessionFileHint } from '../environment/session-file-hint.ts'
import { HomeWriter } from '../home-writes/home-writer.ts'
import { escapeLine } from '../print/escape-controls.ts'
import { buildId } from '../serve/build-id.ts'
import { greet } from '../serve/greet.ts'
import { landingPath } from '../serve/landing-path.ts'
import { listenOnFreePort } from '../serve/listen-on-free-port.ts'
import { AnnouncedStart } from '../serve/running/announced-start.ts'
import { Patience } from '../serve/running/patience.ts'
import {
  announcedServers,
  announceServer,
  findRunningServer,
  type RunningServer,
} from '../serve/running/running-servers.ts'
import { readServeSettings, type ServeSettings } from '../serve/serve-settings.ts'
import type { Serving } from '../serve/serving.ts'
import { portBefore, stopOrder, tellServing } from '../serve/thread/main-thread.ts'
import { allowedNames, inUrl, isLoopback, isWildcard } from '../server/security/allowed-hosts.ts'
import type { RunCommand } from '../terminal/commands.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { VERSION } from '../terminal/version.ts'
import { openServer } from './open-server.ts'

const FIRST_LIST_MS = 100

export const serve: RunCommand = async (input) => {
  const { flags, terminal } = input
  const before = portBefore()
  const asked = readServeSettings(flags, input.positionals)
  // After a hang it goes on where it was.
  const settings =
    before === null ? asked : { ...asked, mayReuse: false, portWish: { port: before, isStrict: false } }
  let whyNotKept: string | null = null
  const dataFolder = await openOwnFolder('data', flags, (sentence) => {
    whyNotKept = sentence
  })
  const access = settings.isTokenWanted ? createAccess(dataFolder) : null
  const serving: Serving = { flags, terminal, homes: chooseHomes(flags), dataFolder, whyNotKept, access }

  const start = dataFolder === null ? null : new AnnouncedStart(dataFolder, serving.homes)
  try {
    const running = settings.mayReuse && start !== null ? await runningServer(serving, start) : null
    start?.announce()
    if (running === null) await runServer(serving, settings, () => start?.end())
    else await greet(serving, { ...running, found: 'already running' })
  } finally {
    start?.end()
  }
}

/** One that was there before, or that another start at the same moment brings up; null: this start is the one to serve. */
async function runningServer(
  { terminal, dataFolder, access, homes }: Serving,
  start: AnnouncedStart,
): Promise<RunningServer | null> {
  if (dataFolder === null || access === null) return null
  const patience = new Patience((sentence) => terminal.note(sentence))
  const wanted = { dataFolder, homes, access, patience }
  const running = await findRunningServer(wanted, buildId())
  if (running !== null) return running
  await start.whenAlone(patience)
  const other = await findRunningServer(wanted, buildId())
  if (other === null) tellOfOtherBuilds(announcedServers(dataFolder, homes), terminal)
  return other
}

function tellOfOtherBuilds(servers: RunningServer[], terminal: Terminal): void {
  for (const { origin, pid, version, build } of servers) {
    if (build === buildId()) continue
    terminal.note(
      `Another build of gemini-dash (${version}) runs for these sessions at ${origin} (process ${pid}); this one is started beside it.`,
    )
  }
}

/** Until a signal comes. */
async function runServer(serving: Serving, settings: ServeSettings, onAnnounced: () => void): Promise<void> {
  const { flags, terminal, homes, dataFolder, whyNotKept, access } = serving
  const stopped = stopOrder()
  if (!flags.demo) finishWriting(serving)
  const opened = await openServer({
    flags,
    terminal,
    homes,
    dataFolder: flags.demo ? null : dataFolder,
    whyNotKept,
    access,
    host: settings.host,
    landingPath: (store) => landingPath(store.projects().projects, settings.folder),
  })
  const { app, store, keeper, looked, begin, lookAgain } = opened
  await looked
  for (const { path, exists } of homes)
    if (!exists) terminal.note(`There is no Gemini home at ${path} yet; it is shown as soon as it is there.`)
  if (settings.isFolderNamed && landingPath(store.projects().projects, settings.folder) === '/')
    terminal.note(
      sessionFileHint(settings.folder ?? '') ??
        `No project is known at ${settings.folder}; all of them are shown.`,
    )
  const port = await listenOnFreePort(app, settings.host, settings.portWish)
  tellServing(port)
  const origin = `http://${isWildcard(settings.host) ? '127.0.0.1' : inUrl(settings.host)}:${port}`
  const server = {
    owner: ownIdentity(),
    pid: process.pid,
    port,
    origin,
    version: VERSION,
    build: buildId(),
    homes: homes.map(({ path }) => path),
    cacheDirectory: await ownFolder('cache', flags),
    userHome: homedir(),
  }
  const withdraw = dataFolder === null ? () => undefined : announceServer(dataFolder, homes, server)
  onAnnounced()
  // Nobody is signed in any more where nothing is kept, or elsewhere.
  if (port !== portBefore() || dataFolder === null) {
    warnOfExposure(settings, port, terminal)
    await greet(serving, { ...server, store })
  }
  const stopping = new AbortController()
  const work = async () => {
    // What takes long takes the processor from the first list, so it waits for a moment.
    await setTimeout(FIRST_LIST_MS, undefined, { signal: stopping.signal })
    await begin('text')
    keeper.follow(store, lookAgain)
    if (flags['find-projects']) await lookForProjects(store, terminal, stopping.signal)
    await stopped
  }
  try {
    await Promise.race([stopped, work()])
  } finally {
    stopping.abort()
    withdraw()
    await opened.close()
  }
}

/** What another process was killed over while it wrote to a home. */
function finishWriting({ dataFolder, terminal }: Serving): void {
  if (dataFolder === null) return
  try {
    const count = new HomeWriter(dataFolder).removeLeft()
    if (count > 0)
      terminal.note(`What was left of ${count} unfinished writing to a Gemini home was taken away.`)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    terminal.note(
      escapeLine(`What an unfinished writing left in a Gemini home could not be taken away: ${reason}.`),
    )
  }
}

/** Says aloud who else can reach what is shown. */
function warnOfExposure({ host, isTokenWanted }: ServeSettings, port: number, terminal: Terminal): void {
  if (!isTokenWanted) {
    terminal.note('Without a token every user and program of this machine can read your sessions.')
  }
  if (isLoopback(host)) return
  const addresses = allowedNames(host).map((name) => `http://${name}:${port}/`)
  terminal.note(
    `Other machines can reach this server, and nothing on the way is encrypted: ${addresses.join(' ')}`,
  )
  terminal.note('Each browser needs an address of its own with a code: "gemini-dash url" prints one.')
}
