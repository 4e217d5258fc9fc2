import { parseArgs } from 'node:util'
import { HOSTILE_SHAPES } from '../../../../fixtures/hostile/hostile-shapes.ts'
import { readByteSize } from './read-byte-size.ts'

/** In the order in which they run. */
export const BENCHMARKS = [
  'list',
  'index',
  'query',
  'usage',
  'mcp',
  'append',
  'archive',
  'page',
  'growing',
  'watch',
  'large-session',
  'opening',
  'interaction',
  'idle',
  'hostile',
] as const
export type BenchmarkName = (typeof BENCHMARKS)[number]

/** Benchmarks whose figures depend on the size of the home. */
export const FURTHER_BENCHMARKS: readonly BenchmarkName[] = ['list', 'query', 'page', 'idle']

export interface BenchOptions {
  sessions: number
  bytes: number
  seed: number
  /** Number of starts, builds and openings; queries are repeated several times as often. */
  runs: number
  only: BenchmarkName[]
  largeSessionBytes: number
  idleSeconds: number
  /** Size of the `hostile` shapes in percent. */
  hostilePercent: number
  /** Names of the shapes of `hostile`; empty: all. */
  hostileShapes: string[]
  /** Folders filled by generate-home.ts; if empty, a home is generated and removed afterwards. */
  generated: string[]
  /** Executables besides the Node.js that runs the benchmarks. */
  nodes: string[]
  /** Path of the command line to measure; null: the one built here. */
  program: string | null
  format: 'text' | 'markdown' | 'json'
}

export const BENCH_HELP = `npm run bench -- [options]
  --sessions N          sessions of the generated home (200)
  --bytes SIZE          its size: 200MB, 1GB (200MB)
  --seed N              the same seed gives the same home (1)
  --runs N              how often what takes long is repeated (3)
  --only NAME,...       ${BENCHMARKS.join(', ')}; without it all but hostile
  --large-session SIZE  the one session of large-session, opening and interaction, and the large log of growing (200MB)
  --idle-seconds N      how long idle looks on (10)
  --hostile NAME,...    which shapes of hostile (all)
  --hostile-percent N   their size, of the size that is promised (100)
  --generated DIR       a folder filled by fixtures/generate-home.ts, instead of a new one; named again,
                        further homes for ${FURTHER_BENCHMARKS.join(', ')}
  --node FILE           another Node to run the program as well, in the same report; may be named again
  --program FILE        another built cli.js
  --markdown            a table for a document
  --json                figures as JSON
npm run bench -- reading [--json]   how fast files are read, and what that holds in memory
`

/** Throws an error with a sentence for the user. */
export function readBenchOptions(args: string[]): BenchOptions {
  const { values } = parseArgs({
    args,
    options: {
      sessions: { type: 'string', default: '200' },
      bytes: { type: 'string', default: '200MB' },
      seed: { type: 'string', default: '1' },
      runs: { type: 'string', default: '3' },
      only: { type: 'string', default: BENCHMARKS.filter((name) => name !== 'hostile').join(',') },
      'large-session': { type: 'string', default: '200MB' },
      'idle-seconds': { type: 'string', default: '10' },
      hostile: { type: 'string', default: '' },
      'hostile-percent': { type: 'string', default: '100' },
      generated: { type: 'string', multiple: true, default: [] },
      node: { type: 'string', multiple: true, default: [] },
      program: { type: 'string' },
      markdown: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  })
  return {
    sessions: readCount('--sessions', values.sessions),
    bytes: readByteSize('--bytes', values.bytes),
    seed: readCount('--seed', values.seed),
    runs: readCount('--runs', values.runs),
    only: readNames(values.only),
    largeSessionBytes: readByteSize('--large-session', values['large-session']),
    idleSeconds: readCount('--idle-seconds', values['idle-seconds']),
    hostilePercent: readCount('--hostile-percent', values['hostile-percent']),
    hostileShapes: readShapes(values.hostile),
    generated: values.generated,
    nodes: values.node,
    program: values.program ?? null,
    format: values.json ? 'json' : values.markdown ? 'markdown' : 'text',
  }
}

function readCount(option: string, text: string): number {
  const count = Number(text)
  if (Number.isSafeInteger(count) && count > 0) return count
  throw new Error(`${option} wants a whole number above 0, not "${text}".`)
}

function readShapes(text: string): string[] {
  const names = text.split(',').filter((name) => name !== '')
  const unknown = names.find((name) => !HOSTILE_SHAPES.some((shape) => shape.name === name))
  if (unknown === undefined) return names
  const known = HOSTILE_SHAPES.map(({ name }) => name).join(', ')
  throw new Error(`There is no hostile shape "${unknown}"; there are ${known}.`)
}

function readNames(text: string): BenchmarkName[] {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !BENCHMARKS.some((known) => known === name))
  if (unknown !== undefined)
    throw new Error(`There is no benchmark "${unknown}"; there are ${BENCHMARKS.join(', ')}.`)
  return BENCHMARKS.filter((name) => names.includes(name))
}
