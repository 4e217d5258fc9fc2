import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type { HomeManifest } from '../../../../fixtures/large/home-manifest.ts'
import type { BenchOptions } from './bench-options.ts'
import { type RunningServer, startServer } from './running-server.ts'
import type { Runtime } from './runtime.ts'

/** What every benchmark needs. */
export interface Workbench {
  options: BenchOptions
  program: string
  /** The Node.js that runs the program. */
  runtime: Runtime
  home: string
  manifest: HomeManifest
  /** Measured only for its size, after another home. */
  isFurther: boolean
  /** For everything written; removed at the end. */
  folder: string
  /** The index of `home`, kept from one start to the next. */
  keptIndex: string
}

interface ServerPlace {
  home?: string
  folder?: string
  isLoopWatched?: boolean
}

export function newFolder(bench: Workbench, name: string): string {
  return mkdtempSync(join(bench.folder, `${name}-`))
}

/** Runs the program for the duration of the work. */
export async function withServer<Result>(
  bench: Workbench,
  place: ServerPlace,
  work: (server: RunningServer) => Promise<Result>,
): Promise<Result> {
  const { program, runtime, home, keptIndex } = bench
  const { executable } = runtime
  const server = await startServer({ executable, program, home, folder: keptIndex, ...place })
  try {
    return await work(server)
  } finally {
    await server.stop()
  }
}

/** The same, once everything is indexed. */
export function withReadyServer<Result>(
  bench: Workbench,
  place: ServerPlace,
  work: (server: RunningServer) => Promise<Result>,
): Promise<Result> {
  return withServer(bench, place, async (server) => {
    await server.whenReady()
    return work(server)
  })
}
