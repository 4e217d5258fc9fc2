import { readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import type { MessagePage, SessionDetail, SessionList } from '@gemini-dash/api'
import { questionPath, sessionPath } from '@gemini-dash/api'
import { writeLargeHome } from '../../../../fixtures/large/large-home.ts'
import type { Figure } from '../figures/figure.ts'
import { targets } from '../figures/targets.ts'
import { memoryOf } from '../program/process-figures.ts'
import type { RunningServer } from '../program/running-server.ts'
import { timeOf } from '../program/time-of.ts'
import { newFolder, type Workbench, withReadyServer } from '../program/workbench.ts'
import { parseAllFiles } from './parse-all-files.ts'

const PAGE = 100

/** One session of the requested size, opened by a server that has not opened it before. */
export async function benchLargeSession(bench: Workbench): Promise<Figure[]> {
  const { largeSessionBytes, seed, runs } = bench.options
  const folder = newFolder(bench, 'large-session')
  const manifest = writeLargeHome({ sessions: 1, bytes: largeSessionBytes, seed, out: folder })
  ageFiles(join(folder, 'home'))
  const indexed: number[] = []
  const opened: number[] = []
  const middle: number[] = []
  const grown: number[] = []
  const parsed: number[] = []
  const problems = new Set<string>()
  const check = ({ messages, total }: MessagePage): void => {
    if (total !== manifest.messages) problems.add(`${total} messages, not ${manifest.messages}`)
    if (messages.length !== Math.min(PAGE, manifest.messages))
      problems.add(`a page of ${messages.length} messages`)
  }
  const place = { home: join(folder, 'home', '.gemini'), folder }
  const pageOf = (server: RunningServer, key: string, offset: number) =>
    server.get<MessagePage>(sessionPath('messages', key, { offset, limit: PAGE }))
  const openFirst = async (server: RunningServer, values: number[]): Promise<string> => {
    const { sessions } = await server.get<SessionList>(questionPath('sessions'))
    const key = sessions[0]?.key ?? ''
    const first = await timeOf(() =>
      Promise.all([
        server.get<SessionDetail>(questionPath('sessions/:key', { key })),
        pageOf(server, key, 0),
      ]),
    )
    values.push(first.milliseconds)
    check(first.result[1])
    return key
  }
  const open = (values: number[]) =>
    withReadyServer(bench, place, async (server) => {
      const before = memoryOf(server.pid)?.residentBytes
      const key = await openFirst(server, values)
      const between = await timeOf(() => pageOf(server, key, Math.floor(manifest.messages / 2)))
      middle.push(between.milliseconds)
      if (between.result.messages.length === 0) problems.add('no messages in the middle')
      const after = memoryOf(server.pid)?.highestBytes
      if (before !== undefined && after !== undefined) grown.push((after - before) / 1e6)
    })
  // Indexed by another process, whose memory would hide what opening uses.
  await withReadyServer(bench, place, async (server) => void (await openFirst(server, indexed)))
  for (let run = 0; run < runs; run += 1) {
    await open(opened)
    parsed.push((await timeOf(() => parseAllFiles(place.home))).milliseconds)
  }
  const megabytes = Math.round(manifest.bytes / 1e6)
  const shared = { benchmark: 'large-session', problems: [...problems] } as const
  const checked = 'number of messages'
  return [
    {
      ...shared,
      name: `open ${megabytes} MB as soon as it is indexed: detail and first page`,
      unit: 'ms',
      values: indexed,
      target: targets.openLargeSession,
      checked,
    },
    {
      ...shared,
      name: 'the same after a restart',
      unit: 'ms',
      values: opened,
      target: targets.openLargeSession,
      comparisons: [{ tool: 'JSON.parse of the file', values: parsed }],
      checked,
    },
    { ...shared, name: 'of the same a page in the middle', unit: 'ms', values: middle },
    { ...shared, name: 'memory that opening it takes at most', unit: 'MB', values: grown },
  ]
}

/** Makes them as old as the files of finished sessions. */
function ageFiles(folder: string): void {
  const anHourAgo = new Date(Date.now() - 3_600_000)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) utimesSync(join(entry.parentPath, entry.name), anHourAgo, anHourAgo)
  }
}
