import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { KeepStatus } from '@gemini-dash/api'
import { Archive, ArchiveWriter, takeFile } from '@gemini-dash/archive'
import type { Figure } from '../figures/figure.ts'
import { targets } from '../figures/targets.ts'
import { filesBelow } from '../program/files-below.ts'
import { runTool } from '../program/run-tool.ts'
import { timeOf } from '../program/time-of.ts'
import { newFolder, type Workbench } from '../program/workbench.ts'

const APPENDS = 1_000
const LOG_BYTES = 30e6

/** The cost of `keep`: the first scan of a home, the next one, the size stored, and a long log that grows line by line. */
export async function benchArchive(bench: Workbench): Promise<Figure[]> {
  const rates: number[] = []
  const nextLooks: number[] = []
  const shares: number[] = []
  const problems = new Set<string>()
  for (let run = 0; run < bench.options.runs; run += 1) {
    const data = newFolder(bench, 'archive')
    const first = await timeOf(() => keep(bench, data, 'on', '--max-size=none'))
    // of everything archived, which is slightly more than session files
    rates.push(first.result.rawBytes / 1e3 / first.milliseconds)
    shares.push((first.result.storedBytes / first.result.rawBytes) * 100)
    nextLooks.push((await timeOf(() => keep(bench, data, 'now'))).milliseconds)
    const { sessions, damaged, problem } = keep(bench, data, 'status')
    if (sessions === 0 || damaged > 0 || problem !== null)
      problems.add(`${sessions} sessions, ${damaged} damaged, ${problem ?? 'no problem'}`)
  }
  const of = { benchmark: 'archive', problems: [...problems] } as const
  const appended = await benchAppends(bench)
  return [
    { ...of, name: 'first look, by command', unit: 'MB/s', values: rates, target: targets.keptRate },
    { ...of, name: 'next look, nothing changed', unit: 'ms', values: nextLooks, target: targets.nextLook },
    { ...of, name: 'stored, of what was read', unit: '%', values: shares, target: targets.storedShare },
    {
      ...of,
      name: `stored, of what ${APPENDS} lines added to a log of 30 MB`,
      unit: '%',
      values: [appended],
      target: targets.storedOfAppends,
    },
  ]
}

function keep({ program, runtime, home }: Workbench, data: string, ...args: string[]): KeepStatus {
  const places = ['--json', '--home', home, '--data-dir', data]
  return JSON.parse(runTool(runtime.executable, [program, 'keep', ...args, ...places]) ?? '')
}

/** Real lines, one after the other, each archived separately. */
async function benchAppends(bench: Workbench): Promise<number> {
  const folder = newFolder(bench, 'appends')
  mkdirSync(folder, { recursive: true })
  const lines = linesOf(bench.home)
  const log = join(folder, 'log.jsonl')
  writeFileSync(log, '')
  for (let place = 0; statSync(log).size < LOG_BYTES; place += APPENDS)
    appendFileSync(log, numbered(lines, place, APPENDS))
  const archive = new Archive(join(folder, 'archive'))
  await takeOnce(archive, log)
  const [storedBefore, sizeBefore] = [archive.packs.sizeBytes(), statSync(log).size]
  for (let append = 0; append < APPENDS; append += 1) {
    appendFileSync(log, numbered(lines, 1_000_000 + append, 1))
    await takeOnce(archive, log)
  }
  return ((archive.packs.sizeBytes() - storedBefore) / (statSync(log).size - sizeBefore)) * 100
}

async function takeOnce(archive: Archive, path: string): Promise<void> {
  const nowMs = Date.now()
  const writer = new ArchiveWriter(archive, { maxBytes: Number.POSITIVE_INFINITY, nowMs })
  const descriptor = openSync(path, 'r')
  try {
    const source = { descriptor, isLog: true }
    const taking = { file: writer.file(path, {}), isCertain: false }
    const note = await takeFile(writer, source, taking, new Date(nowMs).toISOString())
    if (note !== null) await writer.note(note)
    await writer.commit()
  } finally {
    closeSync(descriptor)
    await writer.close(nowMs)
  }
}

function linesOf(home: string): string[] {
  const log = filesBelow(home).find((path) => path.endsWith('.jsonl') && statSync(path).size > 100_000)
  if (log === undefined) throw new Error('The home has no log of 100 KB.')
  return readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
}

/** No two lines are equal, so nothing is deduplicated. */
function numbered(lines: readonly string[], from: number, count: number): string {
  return Array.from({ length: count }, (_, place) => {
    const number = from + place
    return `${(lines[number % lines.length] ?? '').replaceAll(/[a-z]{5,}/g, (word, at: number) => `${word.slice(0, 3)}${((at * 7919 + number * 104_729) >>> 0).toString(36)}`)}\n`
  }).join('')
}
