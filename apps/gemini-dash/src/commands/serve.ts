import { homedir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ownIdentity } from '@gemini-dash/session-index'
import type { FastifyInstance } from 'fastify'
import type { GeminiHome } from 'gemini-sessions/node'
import { type Access, createAccess, createMemoryRecords, type ExpiryRecords } from '../access.ts'
import { chooseHomes, chooseServedHomes } from '../environment/choose-homes.ts'
import { lookForProjects, markFolder, openOwnFolder, openStore } from '../environment/open-store.ts'
import { asWarnings, openWarnings } from '../environment/open-warnings.ts'
import { ownFolder, programFiles } from '../environment/own-folder.ts'
import { sessionFileHint } from '../environment/session-file-hint.ts'
import { HomeWriter } from '../home-writes/home-writer.ts'
import { Keeper } from '../keep/keeper.ts'
import type { OpenedFolder } from '../opened/opened-folder.ts'
import { describeAway } from '../own-data/data-folder.ts'
import { openMarks } from '../own-data/open-marks.ts'
import { escapeLine } from '../print/escape-controls.ts'
import { AnnouncedStart, Patience } from '../serve/announced-start.ts'
import { buildId } from '../serve/build-id.ts'
import { greet, landingPath, landingPathOfOpened, reportProblem, type Serving } from '../serve/greet.ts'
import { listenOnFreePort } from '../serve/listen-on-free-port.ts'
import {
  announcedServers,
  announceServer,
  findRunningServer,
  type RunningServer,
} from '../serve/running-servers.ts'
import { readServeSettings, type ServeSettings } from '../serve/serve-settings.ts'
import {
  type LeftServer,
  leftServer,
  removeAtEnd,
  stopOrder,
  tellServing,
  tellSignIn,
} from '../serve/thread.ts'
import { allowedNames, inUrl, isLoopback, isWildcard } from '../server/allowed-hosts.ts'
import type { OpenedFileStore } from '../server/routes/program.ts'
import { OwnSettings } from '../settings.ts'
import type { StartedStore } from '../store/create-store.ts'
import type { Store } from '../store/store.ts'
import type { WarningList } from '../store/warnings.ts'
import type { Terminal } from '../terminal/cli-error.ts'
import type { RunCommand } from '../terminal/commands.ts'
import type { Flags } from '../terminal/flags.ts'
import { VERSION } from '../terminal/terminal.ts'

const FIRST_LIST_MS = 100

export const serve: RunCommand = async (input) => {
  const { flags, terminal } = input
  const settings = readServeSettings(flags, input.positionals)
  const warnings = openWarnings(terminal)
  const dataFolder = await openOwnFolder('data', flags, (message) =>
    warnings.warn({ code: 'data-not-kept', message }),
  )
  const left = leftServer()
  const access = settings.isTokenWanted ? createAccess(dataFolder) : null
  const serving: Serving = { flags, terminal, homes: chooseServedHomes(flags), dataFolder, access, warnings }

  if (left !== null)
    return runServer(serving, { ...settings, portWish: { port: left.port, isStrict: true } }, left)
  const start = dataFolder === null ? null : new AnnouncedStart(dataFolder, serving.homes)
  try {
    const running = settings.mayReuse && start !== null ? await runningServer(serving, start) : null
    start?.announce()
    if (running === null) await runServer(serving, settings, null, () => start?.end())
    else {
      tellOfPort(running, flags, terminal)
      await greet(serving, { ...running, found: 'already running' })
    }
  } finally {
    start?.end()
  }
}

/** One that was running already, or that a concurrent start brings up; null: this start is the one to serve. */
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

/** A requested port applies only to a new server. */
function tellOfPort({ origin, port }: RunningServer, flags: Flags, terminal: Terminal): void {
  const wished = Number(flags.port ?? 0)
  if (wished === 0 || wished === port) return
  terminal.note(
    `The dashboard is already running at ${origin}, so port ${wished} was not opened. Use --new to start another one.`,
  )
}

function tellOfOtherBuilds(servers: RunningServer[], terminal: Terminal): void {
  for (const { origin, pid, version, build } of servers) {
    if (build === buildId()) continue
    terminal.note(
      `Another build of gemini-dash (${version}) is running for these sessions at ${origin} (process ${pid}). This one starts as well.`,
    )
  }
}

/** Until a signal arrives. */
async function runServer(
  serving: Serving,
  settings: ServeSettings,
  left: LeftServer | null,
  onAnnounced: () => void = () => {},
): Promise<void> {
  const { flags, terminal, homes, dataFolder, warnings } = serving
  // its codes and sign-ins stay valid even if the data folder does not
  const access = serving.access && createAccess(dataFolder, { isServer: true, inMemory: signInsInMemory })
  const stopped = stopOrder()
  if (!flags.demo) finishWriting(serving)
  const opened = await openServer({
    flags,
    terminal,
    homes,
    dataFolder: flags.demo ? null : dataFolder,
    warnings,
    access,
    host: settings.host,
    allowedHosts: settings.allowedHosts,
    landingPath: (store) =>
      flags.file === undefined
        ? landingPath(store.projects().projects, settings.folder)
        : landingPathOfOpened(store.onlySession()),
  })
  const { app, store, keeper, looked, begin, lookAgain } = opened
  await looked
  for (const { path, exists } of homes)
    if (!exists)
      terminal.note(`There is no Gemini folder at ${path} yet. Its sessions appear as soon as it exists.`)
  if (settings.isFolderNamed && landingPath(store.projects().projects, settings.folder) === '/')
    terminal.note(
      sessionFileHint(settings.folder ?? '') ??
        `No project found at ${settings.folder}. Showing all projects.`,
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
  const tellAway = (isAway: boolean) => {
    if (!isAway || dataFolder === null) return warnings.clear('data-not-kept')
    const message = `Changes are refused: ${describeAway(dataFolder)}.`
    warnings.warn({ code: 'data-not-kept', message })
  }
  const withdraw = dataFolder === null ? () => undefined : announceServer(dataFolder, homes, server, tellAway)
  onAnnounced()
  if (left === null) {
    warnOfExposure(settings, port, terminal)
    await greet({ ...serving, access }, { ...server, store })
  } else tellOfHang(store)
  const stopping = new AbortController()
  const work = async () => {
    // Long tasks would take CPU from the first list, so they wait a moment.
    await sleep(FIRST_LIST_MS, undefined, { signal: stopping.signal })
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

/** Sign-ins that are not stored on disk outlive the thread, but not the program. */
function signInsInMemory(of: string): ExpiryRecords {
  const known = (leftServer()?.signIns ?? []).flatMap(({ of: kind, name, expiresAt }) =>
    kind === of && expiresAt !== null ? [[name, expiresAt] as [string, number]] : [],
  )
  return createMemoryRecords(known, (name, expiresAt) => tellSignIn({ of, name, expiresAt }))
}

const HANG_TOLD_MS = 10 * 60_000

function tellOfHang({ warnings }: Store): void {
  warnings.warn({
    code: 'server-restarted',
    message: 'The dashboard stopped responding and was restarted. Requests in progress were not answered.',
    advice: 'If it happens again, report what was open at the time.',
  })
  globalThis.setTimeout(() => warnings.clear('server-restarted'), HANG_TOLD_MS).unref()
}

/** Removes what another process left when it was killed while writing to a home. */
function finishWriting({ dataFolder, terminal }: Serving): void {
  if (dataFolder === null) return
  try {
    const count = new HomeWriter(dataFolder).removeLeft()
    const writes = count === 1 ? '1 interrupted write' : `${count} interrupted writes`
    if (count > 0) terminal.note(`Undid ${writes} to a Gemini folder.`)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    terminal.note(escapeLine(`An interrupted write to a Gemini folder could not be undone: ${reason}.`))
  }
}

/** Warns about who else can reach what is shown. */
function warnOfExposure({ host, isTokenWanted }: ServeSettings, port: number, terminal: Terminal): void {
  if (!isTokenWanted) {
    terminal.note('Without a token, every user and program on this machine can read your sessions.')
  }
  if (isLoopback(host)) return
  const addresses = allowedNames(host).map((name) => `http://${name}:${port}/`)
  terminal.note(
    `Other machines can reach this server, and the connection is not encrypted: ${addresses.join(' ')}`,
  )
  terminal.note('Each browser needs its own sign-in link. "gemini-dash url" prints one.')
}

interface Served {
  flags: Flags
  terminal: Terminal
  homes: GeminiHome[]
  /** null: nothing can be stored, or nothing is, as with `--no-cache` and for the samples. */
  dataFolder: string | null
  /** The caller's list of warnings, if it adds its own. */
  warnings?: WarningList
  access: Access | null
  /** The address to listen on. */
  host: string
  allowedHosts: string[]
  landingPath: (store: Store) => string
  /** Set for the server that shows sent files. */
  sentFiles?: SentFiles
}

/** Delay between the last answer of the server of opened files and its end. */
const CLOSING_MS = 200

interface OpenedServer extends Pick<StartedStore, 'store' | 'looked' | 'begin' | 'lookAgain'> {
  app: FastifyInstance
  keeper: Keeper
  close: () => Promise<void>
}

/** Store and server of some homes, not listening yet. */
async function openServer(served: Served): Promise<OpenedServer> {
  const { flags, terminal, homes, dataFolder, access, host, landingPath } = served
  const { warnings = openWarnings(terminal) } = served
  const tell = (message: string) => terminal.note(escapeLine(message))
  const tellProblem = asWarnings(warnings)
  // where nothing can be stored, what was stored before is shown
  const ownFolder = await markFolder(flags)
  const marks = openMarks(ownFolder, tellProblem)
  const keeper = new Keeper({ dataFolder, homes, workerUrl: programFiles.keepWorker, tell, tellProblem })
  const started = await openStore({
    homes,
    flags,
    terminal,
    isWatching: flags['no-watch'] !== true,
    bringOut: (home) => keeper.bringOut(home),
    marks: marks.store,
    warnings,
    ...(served.sentFiles && { opened: { files: flags.file ?? [], canClose: true } }),
  })
  const { store, looked, begin, lookAgain, forgetting, recovering, cache, homeNames, prices } = started
  const isOfUser = !flags.demo && flags.file === undefined
  const sample = isOfUser ? new Sample(served) : null
  const ownSent = isOfUser ? new SentFiles(served, keeper, () => portOf(app)) : null
  // The disk is scanned while the server is loaded and built.
  const { createServer } = await import('../server/create-server.ts')
  const app = await createServer({
    store,
    keeper,
    marks,
    forgetting,
    recovering,
    cache,
    settings: new OwnSettings({
      store,
      dataFolder: ownFolder,
      browsers: access?.browserSessions ?? null,
      cache,
      homeNames,
      prices,
    }),
    lookAgain,
    dataFolder,
    access,
    bindAddress: host,
    allowedHosts: served.allowedHosts,
    webFolder: fileURLToPath(programFiles.web),
    landingPath: () => landingPath(store),
    openSample: sample === null ? null : () => sample.open(),
    openedFiles: served.sentFiles?.routes ?? ownSent?.routes ?? namedFiles(served),
    reportProblem: (problem) => reportProblem(problem, terminal),
  })
  const close = async () => {
    // First, so that open connections end: the page handles that state and asks again by itself.
    await Promise.allSettled([app.close(), sample?.close(), ownSent?.end()])
    await Promise.allSettled([keeper.close(), store.close()])
  }
  return { app, store, keeper, looked, begin, lookAgain, close }
}

function portOf({ server }: FastifyInstance): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** A separate server in this process, on a free port, besides that of the user's own sessions. */
async function startBeside(served: Served, own: Partial<Served> & { flags: Flags }): Promise<BesideServer> {
  const server = await openServer({
    ...served,
    ...{ dataFolder: null, warnings: undefined, allowedHosts: [] },
    ...own,
  })
  try {
    await server.looked
    const port = await listenOnFreePort(server.app, served.host, { port: 0, isStrict: true })
    await server.begin('text')
    return { ...server, port }
  } catch (error) {
    await server.close()
    throw error
  }
}

interface BesideServer extends OpenedServer {
  port: number
}

/** The sample sessions, started on demand. */
class Sample {
  readonly #served: Served
  #opening: Promise<BesideServer> | null = null

  constructor(served: Served) {
    this.#served = served
  }

  /** The port it listens on, and a code that signs a browser in there; null if no sign-in is required. */
  async open(): Promise<{ port: number; code: string | null }> {
    this.#opening ??= this.#start()
    try {
      const { port } = await this.#opening
      return { port, code: this.#served.access?.codes.issue() ?? null }
    } catch (error) {
      // the next call tries again
      this.#opening = null
      throw error
    }
  }

  async close(): Promise<void> {
    await (await this.#opening?.catch(() => null))?.close()
  }

  #start(): Promise<BesideServer> {
    const flags: Flags = { ...this.#served.flags, demo: true, 'no-cache': true }
    return startBeside(this.#served, { flags, homes: chooseHomes(flags), landingPath: () => '/' })
  }
}

/** Files named on the command line; null if none were. */
function namedFiles({ flags, homes, terminal }: Served): Pick<OpenedFileStore, 'add'> | null {
  const { file, home: _, ...ofUser } = flags
  const [folder] = homes
  if (file === undefined || folder === undefined) return null
  return {
    add: async () => {
      const keeper = new Keeper({
        ...{ dataFolder: await ownFolder('data', flags), homes: chooseHomes(ofUser) },
        workerUrl: programFiles.keepWorker,
        tell: (message) => terminal.note(escapeLine(message)),
        tellProblem: asWarnings(openWarnings(terminal)),
      })
      try {
        return await keeper.addOpened(folder.path)
      } finally {
        await keeper.close()
      }
    },
  }
}

/** Files sent by the page: stored together in a temporary Gemini folder until they are closed. */
class SentFiles {
  readonly #served: Served
  /** Keeper of this user's own sessions. */
  readonly #keeper: Keeper
  /** Port of the page that sends the files. */
  readonly #ownPort: () => number
  #folder: OpenedFolder | null = null
  #names: string[] = []
  #opening: Promise<BesideServer> | null = null

  readonly routes: OpenedFileStore = {
    open: (sent) => this.open(sent),
    close: () => this.close(),
    add: () => this.add(),
  }

  constructor(served: Served, keeper: Keeper, ownPort: () => number) {
    this.#served = served
    this.#keeper = keeper
    this.#ownPort = ownPort
  }

  async open({ name, bytes, modifiedMs }: Parameters<OpenedFileStore['open']>[0]) {
    const { OpenedFolder } = await import('../opened/opened-folder.ts')
    this.#folder ??= new OpenedFolder()
    removeAtEnd(this.#folder.path)
    await this.#folder.addSent(name, bytes, modifiedMs)
    this.#names.push(name)
    const isRunning = this.#opening !== null
    this.#opening ??= this.#start(this.#folder.path)
    try {
      const { port, store, lookAgain } = await this.#opening
      if (isRunning) await lookAgain()
      // the browser lands on the page of that one session
      await store.whenReady()
      const code = this.#served.access?.codes.issue()
      return { port, path: code === undefined ? '/?kind=all' : `/?code=${code}` }
    } catch (error) {
      await this.end()
      throw error
    }
  }

  async add() {
    if (this.#folder === null) throw new Error('nothing is opened')
    return this.#keeper.addOpened(this.#folder.path)
  }

  async close() {
    // its response is still sent by the server that is about to end
    setTimeout(() => void this.end(), CLOSING_MS)
    return { port: this.#ownPort(), path: '/open' }
  }

  async end(): Promise<void> {
    const [opening, folder] = [this.#opening, this.#folder]
    this.#opening = null
    this.#folder = null
    this.#names = []
    await (await opening?.catch(() => null))?.close()
    folder?.remove()
  }

  #start(folder: string): Promise<BesideServer> {
    const flags: Flags = { ...this.#served.flags, file: this.#names, home: [folder], 'no-cache': true }
    return startBeside(this.#served, {
      ...{ flags, homes: chooseHomes(flags), sentFiles: this },
      landingPath: (store) => landingPathOfOpened(store.onlySession()),
    })
  }
}
