import { join } from 'node:path'
import type { SearchResult } from '@gemini-dash/api'
import { questionPath } from '@gemini-dash/api'
import type { Figure } from '../figures/figure.ts'
import { type Target, targets } from '../figures/targets.ts'
import { runTool } from '../program/run-tool.ts'
import type { RunningServer } from '../program/running-server.ts'
import { timeOf } from '../program/time-of.ts'
import { type Workbench, withReadyServer } from '../program/workbench.ts'
import { type QueryClass, queryClasses, type TimedQuery } from './query-classes.ts'

const LIMIT = 20
/** A search over the files is slow, so it is repeated less often. */
const WORD_QUERIES_PER_RUN = 12
const FILE_QUERIES_PER_RUN = 2

/** Answers over HTTP: hits, counts, facets and snippets. Every answer is compared with the manifest. */
export async function benchQuery(bench: Workbench): Promise<Figure[]> {
  return withReadyServer(bench, {}, async (server) => {
    const measured = queryClasses(bench.manifest)
      .filter((each) => !(bench.isFurther && isOverFiles(each)))
      .map(startMeasuring)
    const first: number[] = []
    for (const each of measured) {
      const milliseconds = await ask(server, each, null)
      if (!isOverFiles(each)) first.push(milliseconds)
    }
    for (let run = 0; run < bench.options.runs; run += 1)
      for (const each of measured) {
        const times = isOverFiles(each) ? FILE_QUERIES_PER_RUN : WORD_QUERIES_PER_RUN
        for (let time = 0; time < times; time += 1) await ask(server, each, bench.home)
      }
    return [
      ...measured.map((each) => toFigure(each, targetOf(each, bench))),
      {
        benchmark: 'query',
        name: 'the first of each of these by words after a start',
        unit: 'ms',
        values: first,
        problems: [],
      },
    ]
  })
}

interface Measured extends QueryClass {
  asked: number
  values: number[]
  byGrep: number[] | null
  byRipgrep: number[] | null
  problems: Set<string>
}

function startMeasuring(queryClass: QueryClass): Measured {
  return { ...queryClass, asked: 0, values: [], byGrep: [], byRipgrep: [], problems: new Set() }
}

/** The queries of a class take turns. Without a home: only a warm-up, since the first queries read tables from disk. */
async function ask({ get }: RunningServer, measured: Measured, home: string | null): Promise<number> {
  const query = measured.queries[measured.asked % measured.queries.length]
  if (query === undefined) return 0
  measured.asked += 1
  const { q, mode, sort } = query
  const path = questionPath('search', { q, mode, sort, limit: LIMIT })
  const { milliseconds, result } = await timeOf(() => get<SearchResult>(path))
  for (const problem of query.check(result)) measured.problems.add(problem)
  if (home === null) return milliseconds
  measured.values.push(milliseconds)
  if (mode === 'words') return milliseconds
  measured.byGrep = await timeTool('grep', '-rli', query, home, measured.byGrep)
  measured.byRipgrep = await timeTool('rg', '-li', query, home, measured.byRipgrep)
  return milliseconds
}

/** Only the names of the files: neither the message, nor whether the record still counts. */
async function timeTool(
  tool: 'grep' | 'rg',
  flags: string,
  { q, mode }: TimedQuery,
  home: string,
  times: number[] | null,
): Promise<number[] | null> {
  if (times === null) return null
  const pattern = mode === 'regex' ? ['-e', q.replaceAll('\\d', '[0-9]')] : ['-F', '-e', q]
  const extended = tool === 'grep' && mode === 'regex' ? ['-E'] : []
  const { milliseconds, result } = await timeOf(() =>
    runTool(tool, [flags, ...extended, ...pattern, join(home, 'tmp')]),
  )
  return result === null ? null : [...times, milliseconds]
}

function toFigure(
  { name, queries, values, byGrep, byRipgrep, problems, ...rest }: Measured,
  target: Target,
): Figure {
  const figure: Figure = {
    benchmark: 'query',
    name,
    unit: 'ms',
    values,
    target,
    checked: `${rest.asked} answers to ${queries.length} queries`,
    problems: [...problems],
  }
  if (!isOverFiles({ queries })) return figure
  return {
    ...figure,
    comparisons: [
      { tool: 'ripgrep, names of files only', values: byRipgrep },
      { tool: 'grep, names of files only', values: byGrep },
    ],
  }
}

function targetOf(queryClass: QueryClass, { manifest }: Workbench): Target {
  if (isOverFiles(queryClass)) return targets.fileQuery
  const isRanked = queryClass.queries[0]?.sort === 'relevance'
  return isRanked ? targets.rankedQuery(manifest) : targets.wordQuery(manifest)
}

function isOverFiles({ queries }: Pick<QueryClass, 'queries'>): boolean {
  return queries[0]?.mode !== 'words'
}
