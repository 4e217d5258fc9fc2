import type { HomeManifest } from '../../../../fixtures/large/home-manifest.ts'
import type { Spread } from './spread.ts'

/** The target of a figure: a maximum, or a minimum for a rate. */
export interface Target {
  must: number
  /** null: no target beyond `must`. */
  wanted: number | null
  of: keyof Pick<Spread, 'median' | 'p95' | 'p99' | 'highest'>
}

type Home = Pick<HomeManifest, 'sessions' | 'bytes'>

/** For two cores and a warm page cache. Times and sizes of a home are those of the next larger of two sizes. */
export const targets = {
  firstListCold: ({ sessions }: Home): Target => (sessions <= 1_000 ? median(600, 300) : median(1_000, 350)),
  firstListWarm: ({ sessions }: Home): Target => (sessions <= 1_000 ? median(500, 250) : median(600, 300)),
  indexRate: median(80, 160),
  newestSearchable: median(2_000, 1_000),
  wordQuery: ({ bytes }: Home): Target => (isOfGigabyte(bytes) ? p95(50, 15) : p95(100, 40)),
  rankedQuery: ({ bytes }: Home): Target => (isOfGigabyte(bytes) ? p95(100, 30) : p95(300, 60)),
  fileQuery: median(1_000, 200),
  agentAnswer: p95(50, 25),
  usageTotals: median(50, 5),
  openLargeSession: median(1_000, 150),
  openAtFirstStart: median(2_000, 700),
  openAtFreshServer: median(1_000, 300),
  memoryOpening: { must: 600, wanted: null, of: 'highest' },
  endOfSession: median(200, 100),
  interactionOnList: { must: 100, wanted: null, of: 'highest' },
  interactionInSession: { must: 200, wanted: 100, of: 'highest' },
  shiftAtEnd: { must: 0.05, wanted: null, of: 'median' },
  memoryIdle: median(250, 120),
  memoryIndexing: { must: 600, wanted: 350, of: 'highest' },
  processorIdle: median(1, 0.2),
  appendToEvent: p95(100, 25),
  /** A single reading may take longer than two seconds. */
  lineToRow: { must: 2_000, wanted: 1_000, of: 'highest' },
  /** On systems that report that a folder was replaced. */
  lostWatch: { must: 2_000, wanted: 500, of: 'highest' },
  hostileAnswer: { must: 5_000, wanted: null, of: 'highest' },
  hostileMemory: { must: 512, wanted: null, of: 'highest' },
  loopDelay: median(50, null),
  indexSize: median(25, null),
  /** One for each page of the list that is loaded, and three more. */
  requestsOfAppend: median(14, 4),
  pageOfAppend: median(250, 75),
  /** Includes 250 ms of waiting for further events. */
  appendToSeen: median(1_000, 500),
  frame: median(20, 17),
  pageAnswers: median(200, 100),
  pageScripts: median(200, 120),
  keptRate: median(60, null),
  nextLook: median(2_000, 500),
  storedShare: median(35, null),
  storedOfAppends: median(200, 100),
} satisfies Record<string, Target | ((home: Home) => Target)>

/** Generated homes are slightly larger than requested. */
function isOfGigabyte(bytes: number): boolean {
  return bytes < 1.2e9
}

function median(must: number, wanted: number | null): Target {
  return { must, wanted, of: 'median' }
}

function p95(must: number, wanted: number): Target {
  return { must, wanted, of: 'p95' }
}
