import { join } from 'node:path'
import type { Depth, ExportFormat, ExportReview } from '@gemini-dash/api'
import type { SessionSummary } from 'gemini-sessions'
import type { PictureFile } from '../../export/picture-files.ts'
import { groupBytes } from '../catalog/group-files.ts'
import type { ExportAsked, ExportPiece } from '../reader/answers/make-export.ts'
import type { ReaderClient } from '../reader/lanes/reader-client.ts'
import type { SessionPlace } from '../reader/place/session-place.ts'
import { UnreadSession } from './unread-session.ts'

/** A sub-agent whose files are larger than this leaves as a session of its own; so do those that would make more of them together. */
const MAX_AGENT_BYTES = 2 * 1024 * 1024
const MAX_AGENTS_BYTES = 8 * 1024 * 1024
const MAX_AGENTS = 200

/** Nothing stands inside a call that is not written. */
const CALLS_ARE_CUT: ReadonlySet<Depth> = new Set(['prompts', 'talk', 'thoughts'])

/** How sessions leave. */
export type ExportWay = Pick<
  ExportAsked,
  'format' | 'depth' | 'redaction' | 'version' | 'zone' | 'pictureFolder'
>

/** In which form sessions leave, the files as they lie being one. */
export interface LeavingForm {
  format: ExportFormat
  depth: Depth
}

interface Known {
  summary: (key: string) => SessionSummary | null
  place: (key: string) => SessionPlace | null
  ask: ReaderClient['ask']
  /** @throws where files of the session cannot be read */
  refuse: (key: string) => null
}

/** What is asked of a session that leaves. null, or nothing: there is no such session. */
export class SessionLeaving {
  readonly #known: Known

  constructor(known: Known) {
    this.#known = known
  }

  /** Its files, each with where it is read: what is gone from a home lies in the archive. */
  files({ key, files }: SessionSummary): { home: string; path: string; absolutePath: string }[] {
    const found = this.#known.place(key)?.source.files ?? []
    return files.map(({ home, path }) => {
      const file = found.find((each) => each.home === home && each.path === path)
      return { home, path, absolutePath: file?.absolutePath ?? join(home, path) }
    })
  }

  /**
   * Piece by piece as they are taken; the next one is made while one is written.
   *
   * @throws UnreadSession where it was deleted on the way: what has left is not whole
   */
  async *export(key: string, how: ExportWay): AsyncGenerator<ExportPiece> {
    const [place, summary] = [this.#known.place(key), this.#known.summary(key)]
    if (place === null || summary === null) throw new UnreadSession(null)
    const agents = this.#agents(summary, how.format)
    const ask = (from: ExportAsked['from']): Promise<ExportPiece | null> => {
      const asked: ExportAsked = { ...how, summary, agents, from }
      const piece = this.#known.ask('export', { ...place, asked })
      // whoever stopped does not hear of it
      piece.catch(() => {})
      return piece
    }
    for (let next: Promise<ExportPiece | null> | null = ask(null); next !== null; ) {
      const piece: ExportPiece | null = await next
      if (piece === null) throw this.#known.refuse(key) ?? new UnreadSession(null)
      next = piece.next && ask(piece.next)
      yield piece
    }
  }

  /** What `export` would take out. */
  async review(key: string, how: ExportWay): Promise<ExportReview | null> {
    const [place, summary] = [this.#known.place(key), this.#known.summary(key)]
    if (place === null || summary === null) return null
    const asked: ExportAsked = { ...how, summary, agents: this.#agents(summary, how.format), from: null }
    return (await this.#known.ask('exportReview', { ...place, asked })) ?? this.#known.refuse(key)
  }

  /** Its pictures as files: all without their bytes, or the one of a name with them. */
  async pictures(key: string, depth: Depth, name: string | null): Promise<PictureFile[]> {
    const place = this.#known.place(key)
    const found = place && (await this.#known.ask('exportPictures', { ...place, asked: { depth, name } }))
    return found ?? []
  }

  /** Keys of the sub-agents whose conversations stand in it as it leaves, theirs too. */
  async agentsIn(key: string, { format, depth }: LeavingForm): Promise<string[]> {
    if (format === 'raw' || CALLS_ARE_CUT.has(depth)) return []
    const [place, summary] = [this.#known.place(key), this.#known.summary(key)]
    if (place === null || summary === null) return []
    const agents = this.#agents(summary, format)
    if (agents.length === 0) return []
    const how = { format, depth, redaction: null, version: '', zone: 'UTC', pictureFolder: null }
    const asked: ExportAsked = { ...how, summary, agents, from: null }
    return (await this.#known.ask('exportAgents', { ...place, asked })) ?? []
  }

  /** Those that leave along, theirs too; not what would make one piece, or all of them, too large. */
  #agents(session: SessionSummary, format: ExportWay['format']): ExportAsked['agents'] {
    if (format !== 'html' && format !== 'markdown') return []
    const agents: { summary: SessionSummary; place: SessionPlace }[] = []
    let leftBytes = MAX_AGENTS_BYTES
    const seen = new Set([session.key])
    const wanted = [...session.subagentKeys]
    for (let key = wanted.shift(); key !== undefined && agents.length < MAX_AGENTS; key = wanted.shift()) {
      const [place, summary] = [this.#known.place(key), this.#known.summary(key)]
      if (seen.has(key) || place === null || summary === null) continue
      seen.add(key)
      const sizeBytes = groupBytes(place.source)
      if (sizeBytes > Math.min(MAX_AGENT_BYTES, leftBytes)) continue
      leftBytes -= sizeBytes
      agents.push({ summary, place })
      wanted.unshift(...summary.subagentKeys)
    }
    return agents
  }
}
