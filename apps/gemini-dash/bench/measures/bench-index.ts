import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Health, SearchResult, SessionList } from '@gemini-dash/api'
import { questionPath } from '@gemini-dash/api'
import type { Figure } from '../figures/figure.ts'
import { type Target, targets } from '../figures/targets.ts'
import { filesBelow } from '../program/files-below.ts'
import { memoryOf } from '../program/process-figures.ts'
import type { RunningServer } from '../program/running-server.ts'
import { timeOf } from '../program/time-of.ts'
import { newFolder, type Workbench, withServer } from '../program/workbench.ts'
import { checkCounted, checkNeedle } from './check-search.ts'
import { parseAllFiles } from './parse-all-files.ts'

// Seldom enough that the requests take little CPU from the build.
const HEALTH_EVERY_MS = 20
const NEWEST_EVERY_MS = 50
const NEWEST = 50

interface Build {
  megabytesPerSecond: number
  newestMs: number
  healthMs: number[]
  /** Of the server's event loop, p99. */
  loopDelayMs: number
  highestBytes: number | null
  indexBytes: number
  problems: string[]
}

/** A full build, from the start of the process until health reports that everything is indexed. */
export async function benchIndex(bench: Workbench): Promise<Figure[]> {
  const builds: Build[] = []
  const parseRates: number[] = []
  for (let run = 0; run < bench.options.runs; run += 1) {
    builds.push(await build(bench))
    const { milliseconds } = await timeOf(() => parseAllFiles(bench.home))
    parseRates.push(bench.manifest.bytes / 1e3 / milliseconds)
  }
  const problems = [...new Set(builds.flatMap((each) => each.problems))]
  const figure = (
    name: string,
    unit: Figure['unit'],
    target: Target | undefined,
    valuesOf: (each: Build) => number | null | number[],
  ): Figure => ({
    benchmark: 'index',
    name,
    unit,
    values: builds.flatMap(valuesOf).filter((value) => value !== null),
    ...(target === undefined ? {} : { target }),
    problems,
  })
  const { bytes } = bench.manifest
  const rate = figure('build, whole process', 'MB/s', targets.indexRate, (each) => each.megabytesPerSecond)
  return [
    {
      ...rate,
      comparisons: [{ tool: 'JSON.parse of all files, one thread', values: parseRates }],
      checked: 'sessions, needles, words in many messages',
    },
    figure(
      `newest ${NEWEST} sessions searchable`,
      'ms',
      targets.newestSearchable,
      ({ newestMs }) => newestMs,
    ),
    figure(
      'event loop of the server while indexing, p99',
      'ms',
      targets.loopDelay,
      ({ loopDelayMs }) => loopDelayMs,
    ),
    figure('answer of /api/health while indexing', 'ms', undefined, ({ healthMs }) => healthMs),
    figure('memory while indexing, highest', 'MB', targets.memoryIndexing, ({ highestBytes }) =>
      highestBytes === null ? null : highestBytes / 1e6,
    ),
    figure(
      'index on disk, of the raw size',
      '%',
      targets.indexSize,
      ({ indexBytes }) => (100 * indexBytes) / bytes,
    ),
  ]
}

async function build(bench: Workbench): Promise<Build> {
  const folder = newFolder(bench, 'build')
  const startedAt = performance.now()
  const sinceStart = (): number => performance.now() - startedAt
  return withServer(bench, { folder, isLoopWatched: true }, async (server) => {
    const watched = server.watchLoop()
    const newest = whenNewestAreSearchable(bench, server).then((problems) => ({ problems, ms: sinceStart() }))
    const healthMs = await healthTimesUntilReady(server)
    const megabytesPerSecond = bench.manifest.bytes / 1e3 / sinceStart()
    const loopDelayMs = await watched.stop()
    const highestBytes = memoryOf(server.pid)?.highestBytes ?? null
    const { problems, ms: newestMs } = await newest
    problems.push(...(await findProblems(bench, server)))
    return {
      megabytesPerSecond,
      newestMs,
      healthMs,
      loopDelayMs,
      highestBytes,
      indexBytes: folderBytes(join(folder, 'cache')),
      problems,
    }
  })
}

/** Requests at fixed times, whether or not earlier answers have arrived: waiting for a slow one would hide the delays it causes. */
async function healthTimesUntilReady({ get }: RunningServer): Promise<number[]> {
  const times: number[] = []
  const asked: Promise<void>[] = []
  let isReady = false
  while (!isReady) {
    asked.push(
      timeOf(() => get<Health>(questionPath('health'))).then(({ milliseconds, result }) => {
        times.push(milliseconds)
        isReady ||= result.index.state === 'ready'
      }),
    )
    await sleep(HEALTH_EVERY_MS)
  }
  await Promise.all(asked)
  return times
}

/** Once rows report that they are read, the needles among them must be found. */
async function whenNewestAreSearchable({ manifest }: Workbench, { get }: RunningServer): Promise<string[]> {
  let newest: SessionList
  do {
    await sleep(NEWEST_EVERY_MS)
    newest = await get<SessionList>(questionPath('sessions', { limit: NEWEST }))
  } while (newest.sessions.some(({ indexed }) => indexed !== 'full'))
  const ids = new Set(newest.sessions.map(({ sessionId }) => sessionId))
  const needles = manifest.needles.filter(({ sessionId, mode }) => mode === 'words' && ids.has(sessionId))
  const problems: string[] = []
  for (const needle of needles) {
    const found = await get<SearchResult>(questionPath('search', { q: needle.query }))
    problems.push(...checkNeedle(needle, found))
  }
  return problems
}

async function findProblems({ manifest }: Workbench, { get }: RunningServer): Promise<string[]> {
  const problems: string[] = []
  const { total } = await get<SessionList>(questionPath('sessions', { kind: 'all', limit: 1 }))
  const expected = manifest.sessions + manifest.subagents
  if (total !== expected) problems.push(`${total} sessions, not ${expected}`)
  for (const query of manifest.countedQueries.filter(({ kind }) => kind === 'common'))
    problems.push(
      ...checkCounted(query, await get<SearchResult>(questionPath('search', { q: query.query, limit: 1 }))),
    )
  for (const needle of manifest.needles.filter(({ mode }) => mode === 'words'))
    problems.push(
      ...checkNeedle(needle, await get<SearchResult>(questionPath('search', { q: needle.query }))),
    )
  return problems
}

function folderBytes(folder: string): number {
  return filesBelow(folder).reduce((sum, path) => sum + statSync(path).size, 0)
}
