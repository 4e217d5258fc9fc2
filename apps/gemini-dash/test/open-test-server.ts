import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { findHomes } from 'gemini-sessions/node'
import { inject } from 'vitest'
import { type Access, createAccess } from '../src/access.ts'
import { GoneFiles } from '../src/keep/gone-files.ts'
import { Keeper } from '../src/keep/keeper.ts'
import { KeyRegistry, openKeyFile } from '../src/own-data/key-registry.ts'
import { openMarks } from '../src/own-data/open-marks.ts'
import { HomeNames, openHomeNameFile, openPriceFile } from '../src/own-data/price-file.ts'
import type { Problem } from '../src/serve/greet.ts'
import { listenOnFreePort } from '../src/serve/listen-on-free-port.ts'
import { createServer } from '../src/server/create-server.ts'
import { OwnSettings } from '../src/settings.ts'
import { startStore } from '../src/store/create-store.ts'
import type { Store } from '../src/store/store.ts'
import { WarningList } from '../src/store/warnings.ts'

export interface TestServer {
  app: FastifyInstance
  port: number
  store: Store
  keeper: Keeper
  lookAgain: () => void
  access: Access
  /** `name=value` of a signed-in browser. */
  cookie: string
  dataFolder: string
  problems: Problem[]
  /** What was printed for the user. */
  told: string[]
  close: () => Promise<void>
}

export function fixtureHome(version: string): string {
  return fileURLToPath(new URL(`../../../fixtures/homes/${version}`, import.meta.url))
}

/** The real server with the real store on a home written by the CLI, or on another one, with a small page of its own. */
export async function openTestServer({
  version = '0.61.0',
  home = fixtureHome(version),
  hasToken = true,
  isWatching = false,
  isCacheKept = true,
  allowedHosts = [] as string[],
} = {}): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'gemini-dash-test-'))
  const dataFolder = join(folder, 'data')
  const webFolder = writePage(join(folder, 'web/'))
  const homes = findHomes({ homeArguments: [home], env: {}, userHome: folder })
  const marks = openMarks(dataFolder, () => {})
  const keeper = new Keeper({
    dataFolder,
    homes,
    workerUrl: workerUrl('keep-worker.js'),
    tell: () => {},
    tellProblem: () => {},
    pauseMs: 500,
  })
  const told: string[] = []
  const { store, begin, lookAgain, forgetting, recovering, cache, homeNames, prices } = startStore({
    homes,
    // a cache below a file cannot exist
    cacheDirectory: join(folder, isCacheKept ? 'cache' : 'web/icon.svg/cache'),
    workerUrls: { index: workerUrl('index-worker.js'), reader: workerUrl('reader-worker.js') },
    isWatching,
    warnings: new WarningList(({ message }) => told.push(message)),
    version: '0.0.0-test',
    isDemo: false,
    marks: marks.store,
    keys: new KeyRegistry(openKeyFile(dataFolder, () => {})),
    homeNames: new HomeNames(openHomeNameFile(dataFolder, () => {})),
    prices: openPriceFile(dataFolder, () => {}),
    kept: new GoneFiles({
      ...{ dataFolder, homes },
      bringOut: (each) => keeper.bringOut(each),
      onProblem: () => {},
    }),
  })
  await begin('text')
  await store.whenReady()

  const access = createAccess(dataFolder, { isServer: true })
  const problems: Problem[] = []
  const app = await createServer({
    store,
    keeper,
    marks,
    forgetting,
    recovering,
    cache,
    settings: new OwnSettings({
      ...{ store, dataFolder, cache, homeNames, prices },
      browsers: hasToken ? access.browserSessions : null,
    }),
    lookAgain,
    openSample: null,
    openedFiles: null,
    dataFolder,
    access: hasToken ? access : null,
    bindAddress: '127.0.0.1',
    allowedHosts,
    webFolder,
    landingPath: () => '/',
    reportProblem: (problem) => problems.push(problem),
  })
  const port = await listenOnFreePort(app, '127.0.0.1', { port: 0, isStrict: true })
  const cookie = `gemini-dash-${port}=${access.browserSessions.issue()}`

  const close = async () => {
    await app.close()
    await keeper.close()
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { app, port, store, keeper, lookAgain, access, cookie, dataFolder, problems, told, close }
}

export function workerUrl(name: string): URL {
  return pathToFileURL(join(inject('program'), name))
}

function writePage(folder: string): string {
  mkdirSync(join(folder, 'assets'), { recursive: true })
  writeFileSync(join(folder, 'index.html'), '<!doctype html><html lang="en"><title>gemini-dash</title>')
  writeFileSync(join(folder, 'assets', 'page-0123abcd.js'), 'export {}')
  writeFileSync(join(folder, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  return folder
}
