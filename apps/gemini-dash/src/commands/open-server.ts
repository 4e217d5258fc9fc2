import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type { GeminiHome } from 'gemini-sessions/node'
import type { Access } from '../access/access.ts'
import { chooseHomes } from '../environment/choose-homes.ts'
import { asWarnings, markFolder, openStore, openWarnings } from '../environment/open-store.ts'
import { programFiles } from '../environment/program-files.ts'
import { Keeper } from '../keep/thread/keeper.ts'
import { openMarks } from '../own-data/marks/open-marks.ts'
import { escapeLine } from '../print/escape-controls.ts'
import { listenOnFreePort } from '../serve/listen-on-free-port.ts'
import { reportProblem } from '../serve/report-problem.ts'
import { OwnSettings } from '../settings/own-settings.ts'
import type { StartedStore } from '../store/create-store.ts'
import type { Store } from '../store/store.ts'
import type { Flags } from '../terminal/flags.ts'
import type { Terminal } from '../terminal/terminal.ts'

interface Served {
  flags: Flags
  terminal: Terminal
  homes: GeminiHome[]
  /** null: nothing is kept, as with `--no-cache` and of the samples. */
  dataFolder: string | null
  /** Why changes are refused although they should be kept; null: they are not. */
  whyNotKept: string | null
  access: Access | null
  /** The address that is listened on. */
  host: string
  landingPath: (store: Store) => string
}

export interface OpenedServer extends Pick<StartedStore, 'store' | 'looked' | 'begin' | 'lookAgain'> {
  app: FastifyInstance
  keeper: Keeper
  close: () => Promise<void>
}

/** Store and server of some homes, not yet listening. */
export async function openServer(served: Served): Promise<OpenedServer> {
  const { flags, terminal, homes, dataFolder, access, host, landingPath } = served
  const tell = (message: string) => terminal.note(escapeLine(message))
  const warnings = openWarnings(terminal)
  if (served.whyNotKept !== null) warnings.warn({ code: 'data-not-kept', message: served.whyNotKept })
  // Also where nothing can be written: what is there is shown, and a change is refused, not taken for as long as this runs.
  const ownFolder = await markFolder(flags)
  const marks = openMarks(ownFolder, asWarnings(warnings))
  const keeper = new Keeper({ dataFolder, homes, workerUrl: programFiles.keepWorker, tell })
  const started = await openStore({
    homes,
    flags,
    terminal,
    isWatching: flags['no-watch'] !== true,
    bringOut: (home) => keeper.bringOut(home),
    marks: marks.book,
    warnings,
  })
  const { store, looked, begin, lookAgain, forgetting, recovering, cache, homeNames, prices } = started
  const sample = flags.demo ? null : new Sample(served)
  // The disk is looked at while the server is loaded and built.
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
      signIn: access !== null,
      cache,
      homeNames,
      prices,
    }),
    warnings: started.warnings,
    lookAgain,
    dataFolder,
    access,
    bindAddress: host,
    webFolder: fileURLToPath(programFiles.web),
    landingPath: () => landingPath(store),
    openSample: sample === null ? null : () => sample.open(),
    reportProblem: (problem) => reportProblem(problem, terminal),
  })
  const close = async () => {
    // First, so that whoever still waits finds the connection ended: a page knows that state, and asks again by itself.
    await Promise.allSettled([app.close(), sample?.close()])
    await Promise.allSettled([keeper.close(), store.close()])
  }
  return { app, store, keeper, looked, begin, lookAgain, close }
}

/** The sample sessions beside the user's own: a server of their own in this process, started when somebody wants to see it. */
class Sample {
  readonly #served: Served
  #opening: Promise<{ port: number; close: () => Promise<void> }> | null = null

  constructor(served: Served) {
    this.#served = served
  }

  /** Where it listens, and what signs a browser in there; null: nobody has to. */
  async open(): Promise<{ port: number; code: string | null }> {
    this.#opening ??= this.#start()
    try {
      const { port } = await this.#opening
      return { port, code: this.#served.access?.codes.issue() ?? null }
    } catch (error) {
      // whoever asks next tries again
      this.#opening = null
      throw error
    }
  }

  async close(): Promise<void> {
    await (await this.#opening?.catch(() => null))?.close()
  }

  async #start(): Promise<{ port: number; close: () => Promise<void> }> {
    const flags: Flags = { ...this.#served.flags, demo: true, 'no-cache': true }
    const homes = chooseHomes(flags)
    const server = await openServer({
      ...this.#served,
      ...{ flags, homes, dataFolder: null, whyNotKept: null, landingPath: () => '/' },
    })
    try {
      await server.looked
      const port = await listenOnFreePort(server.app, this.#served.host, { port: 0, isStrict: true })
      await server.begin('text')
      return { port, close: server.close }
    } catch (error) {
      await server.close()
      throw error
    }
  }
}
