import { closeSync, lstatSync } from 'node:fs'
import { findSources, type KeepSource } from '../../../apps/gemini-dash/src/keep/find-sources.ts'
import { openNeighbour } from '../../gemini-sessions/dist/node/index.js'
import { MEMBER_BYTES } from "./gzip-members.ts"
import { isSameStamp, MOST_SMALL_MEMBERS, Mirror } from './mirror.ts'

const AT_ONCE = 4
const QUIET_MS = Number(process.env['QUIET_MS'] ?? 3_600_000)

/** Takes what is new or has changed, what was written longest ago first. */
export async function keepHome(homePath: string, folder: string, { maxBytes, nowMs = Date.now() }: { maxBytes?: number; nowMs?: number } = {}): Promise<{ mirror: Mirror; taken: number; changing: number; unread: number; hindrance: unknown }> {
  const mirror = new Mirror(folder, maxBytes)
  mirror.open()
  const run = { mirror, taken: 0, changing: 0, unread: 0, hindrance: null as unknown }
  const sources = (await findSources({ path: homePath, tmpPath: `${homePath}/tmp` } as never, (path) => mirror.find(path)?.label as never ?? null)) ?? []
  const at = new Date(nowMs).toISOString()
  const changed = sources
    .filter(({ path, stamp }) => {
      const known = mirror.find(path)
      return known === null || known.gone !== null || !isSameStamp(known.stamp, stamp) || mirror.isDamaged(path)
    })
    .sort((a, b) => Number(BigInt(a.stamp.mtimeNs) - BigInt(b.stamp.mtimeNs)))
  const take = async (source: KeepSource) => {
    const opened = openNeighbour(source)
    if (opened === null) return void run.unread++
    try {
      const outcome = await mirror.take({ path: source.path, label: source.label, descriptor: opened.descriptor, isLog: source.path.endsWith('.jsonl') }, at)
      if (outcome === 'taken') run.taken++
      if (outcome === 'changing') run.changing++
    } finally {
      closeSync(opened.descriptor)
    }
    const small = mirror.find(source.path)?.members.filter(({ rawBytes }) => rawBytes < MEMBER_BYTES).length ?? 0
    if (small >= MOST_SMALL_MEMBERS) await mirror.join(source.path)
  }
  try {
    const queue = changed.values()
    await Promise.all(Array.from({ length: AT_ONCE }, async () => {
      for (const source of queue) {
        if (run.hindrance !== null) return
        await take(source).catch((error: unknown) => { run.hindrance ??= error })
      }
    }))
    if (run.hindrance !== null) throw run.hindrance
    const there = new Set(sources.map(({ path }) => path))
    for (const entry of [...mirror.index.entries.values()]) {
      if (!there.has(entry.path) && entry.gone === null && lstatSync(`${homePath}/${entry.path}`, { throwIfNoEntry: false }) === undefined) mirror.noteGone(entry.path, at)
      if (nowMs - Date.parse(entry.at) >= QUIET_MS) await mirror.join(entry.path)
    }
    mirror.commit()
  } catch (error) {
    run.hindrance = error
    try { mirror.commit() } catch { /* it stays where it is, and is found by its name */ }
  }
  return run
}
