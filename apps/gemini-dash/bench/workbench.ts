import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type { HomeManifest } from '../../../fixtures/large/home-manifest.ts'
import type { BenchOptions } from './bench-options.ts'
import { type RunningServer, startServer } from './running-server.ts'

/** What every benchmark works with. */
export interface Workbench {
  options: BenchOptions
  program: string
  home: string
  manifest: HomeManifest
  /** For everything that is written; removed at the end. */
  folder: string
  /** Where the index of `home` is kept from one start to the next. */
  keptIndex: string
}

export function newFolder(bench: Workbench, name: string): string {
  return mkdtempSync(join(bench.folder, `${name}-`))
}

/** Runs the program for as long as the work takes. */
export async function withServer<Result>(
  bench: Workbench,
  place: { home?: string; folder?: string },
  work: (server: RunningServer) => Promise<Result>,
): Promise<Result> {
  const { program, home, keptIndex } = bench
  const server = await startServer({ program, home, folder: keptIndex, ...place })
  try {
    return await work(server)
  } finally {
    await server.stop()
  }
}

/** The same, once everything is indexed. */
export function withReadyServer<Result>(
  bench: Workbench,
  place: { home?: string; folder?: string },
  work: (server: RunningServer) => Promise<Result>,
): Promise<Result> {
  return withServer(bench, place, async (server) => {
    await server.whenReady()
    return work(server)
  })
}
