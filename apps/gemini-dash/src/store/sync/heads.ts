import {
  type FileEnds,
  type FileStamp,
  type IndexGroup,
  isUnchanged,
  type SessionRecord,
  stampOf,
} from '@gemini-dash/session-index'
import {
  NO_COST,
  NO_USAGE,
  outcomeOf,
  placeKey,
  placeOfFile,
  readFileNameTime,
  readSessionPath,
  type SessionHead,
  sessionKey,
  type UnreadFile,
  type Verdict,
} from 'gemini-sessions'
import { type DiscoveredFile, type FileHead, readHeads, readLastTimes } from 'gemini-sessions/node'

export const NO_HEAD: FileHead = {
  sessionId: null,
  projectHash: null,
  firstStartTime: null,
  startTime: null,
  lastUpdated: null,
  kind: null,
  firstPrompt: null,
  directories: [],
  contextPaths: [],
}

/** Data from the heads and ends of files, each read once: by this run, or by an earlier one if the file is unchanged. */
export class Heads {
  readonly #heads = new Map<string, { identity: string; head: FileHead }>()
  readonly #lastTimes = new Map<string, { stamp: FileStamp; lastTime: string }>()

  /** Takes over what an earlier run stored about a file. */
  take({ file, head, lastTime }: FileEnds): void {
    if (head !== null && !this.#heads.has(file.absolutePath)) this.#put(file, head)
    if (lastTime !== null) this.#lastTimes.set(file.absolutePath, { stamp: stampOf(file), lastTime })
  }

  /** Reads the unknown ones. Returns those that could not be read. */
  async read(files: readonly DiscoveredFile[]): Promise<UnreadFile[]> {
    const refused: UnreadFile[] = []
    const unread = files.filter((file) => this.#known(file) === null)
    const heads = await readHeads(unread, ({ absolutePath }, code) =>
      refused.push({ path: absolutePath, code }),
    )
    for (const [file, head] of heads) this.#put(file, head)
    return refused
  }

  /** As far as known: for a file that cannot be read now, its previous head. */
  headOf({ absolutePath }: DiscoveredFile): FileHead {
    return this.#heads.get(absolutePath)?.head ?? NO_HEAD
  }

  /** By path, those known for the current state of the file: to be stored with its data. */
  headsOf(files: readonly DiscoveredFile[]): Record<string, FileHead> {
    return Object.fromEntries(
      files.flatMap((file) => {
        const head = this.#known(file)
        return head === null ? [] : [[file.absolutePath, head] as const]
      }),
    )
  }

  /** The latest time near the end of each file; files without any have no entry. */
  async lastTimes(files: readonly DiscoveredFile[]): Promise<ReadonlyMap<DiscoveredFile, string>> {
    const read = await readLastTimes(files.filter((file) => this.#lastTime(file) === null))
    for (const [file, lastTime] of read)
      this.#lastTimes.set(file.absolutePath, { stamp: stampOf(file), lastTime })
    return new Map(
      files.flatMap((file) => {
        const lastTime = this.#lastTime(file)
        return lastTime === null ? [] : [[file, lastTime] as const]
      }),
    )
  }

  /** Of unread files: to be stored for the next run. */
  endsOf(files: readonly DiscoveredFile[]): FileEnds[] {
    return files.flatMap((file) => {
      const head = this.#known(file)
      return head === null ? [] : [{ file, head, lastTime: this.#lastTime(file) }]
    })
  }

  #put(file: DiscoveredFile, head: FileHead): void {
    this.#heads.set(file.absolutePath, { identity: identityOf(file), head })
  }

  /** null: it was not read, or has changed since. */
  #known(file: DiscoveredFile): FileHead | null {
    const known = this.#heads.get(file.absolutePath)
    return known?.identity === identityOf(file) ? known.head : null
  }

  #lastTime(file: DiscoveredFile): string | null {
    const known = this.#lastTimes.get(file.absolutePath)
    return known !== undefined && isUnchanged(known.stamp, file) ? known.lastTime : null
  }
}

/**
 * A log's head never changes while it only grows, so size and time do not matter once its id is read. A file in the older format is
 * rewritten in place, sometimes partially.
 */
function identityOf({ path, inode, sizeBytes, mtimeNs, ctimeNs }: DiscoveredFile): string {
  const isSettled = path.endsWith('.jsonl') && sizeBytes > 4096
  return isSettled ? inode : `${inode}\n${sizeBytes}\n${mtimeNs}\n${ctimeNs}`
}

/** A file and what its first bytes reveal. */
interface HeadedFile {
  file: DiscoveredFile
  head: SessionHead
}

/**
 * The row of a group of which only the heads are read: real key, id and start, and no figures. The group may turn out to be several
 * sessions; then the key continues to refer to the first of them.
 */
export function rowFromHeads(group: IndexGroup, heads: readonly HeadedFile[]): SessionRecord {
  const first = [...heads].sort(byStart)[0]
  const path = first?.file.path ?? ''
  const { parentId, stem } = readSessionPath(path)
  const sessionId = first?.head.sessionId ?? stem
  const startTime = first?.head.startTime ?? readFileNameTime(path)
  const isSubagent = parentId !== null || first?.head.kind === 'subagent'
  const title = first?.head.firstPrompt ?? null
  return {
    summary: {
      key: first === undefined ? sessionKey(sessionId, stem) : keysOf(first, group).session,
      sessionId,
      kind: isSubagent ? 'subagent' : 'main',
      source: 'gemini-cli',
      parentKey: null,
      subagentKeys: [],
      sameRunKeys: [],
      project: { key: '', name: '', path: null },
      title: title ?? stem,
      titleSource: title === null ? 'none' : 'prompt',
      startTime,
      endTime: null,
      lastUpdated: first?.head.lastUpdated ?? null,
      deletedAfter: null,
      mark: null,
      deletedSeen: deletedSeen(group.files),
      deletedBy: null,
      copiedFrom: null,
      indexed: 'head',
      buried: false,
      empty: false,
      live: false,
      verdict: null,
      ended: null,
      outcome: null,
      failures: null,
      fates: null,
      issues: 0,
      firstPrompt: title,
      trace: [],
      models: null,
      counts: null,
      recorded: null,
      usage: null,
      liveUsage: null,
      cost: null,
      withSubagents: { usage: null, cost: null, toolCalls: null, failures: null },
      files: group.files.map((file) => ({
        home: file.home,
        path: file.path,
        sizeBytes: file.sizeBytes,
        format: file.path.includes('.jsonl') ? 'jsonl' : 'json',
        role: file === first?.file ? 'current' : 'copy',
        ...(file.kept && { kept: file.kept }),
      })),
    },
    ownKeys: [...new Set(heads.map((head) => keysOf(head, group).file))],
    fileKeys: [],
    origin: null,
    requests: '',
    billedElsewhere: [],
    parentSessionId: parentId,
    agentIds: [],
    projectHash: first?.head.projectHash ?? null,
    forkedFrom: null,
    directories: [],
    buckets: [],
    reasons: '',
    tools: [],
    attachments: 0,
    issues: [],
    drift: [],
  }
}

/** Set if none of its files is in a home. */
function deletedSeen(files: readonly DiscoveredFile[]): string | null {
  const seen = files.flatMap(({ kept }) => kept?.lastSeen ?? [])
  return seen.length === files.length ? (seen.sort().at(-1) ?? null) : null
}

/** Each file's own key leads to its session from the beginning. */
function keysOf({ file, head }: HeadedFile, { claims }: IndexGroup): { file: string; session: string } {
  const recorded = claims?.recorded?.[placeOfFile(file)]
  if (recorded !== undefined) return recorded
  const { stem, nameId } = readSessionPath(file.path)
  const sessionId = head.sessionId ?? nameId
  const start = sessionKey(sessionId, head.firstStartTime ?? stem)
  const isAnothers = claims?.taken?.includes(start) || claims?.orphaned?.[start] !== undefined
  const key = isAnothers ? placeKey(start, file.path) : start
  return { file: key, session: key }
}

function byStart(a: HeadedFile, b: HeadedFile): number {
  const order = compare(a.head.firstStartTime ?? '~', b.head.firstStartTime ?? '~')
  return order || compare(a.file.path, b.file.path)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

const NO_COUNTS = {
  messages: 0,
  prompts: 0,
  answers: 0,
  thoughts: 0,
  toolCalls: 0,
  toolErrors: 0,
  notices: 0,
  superseded: 0,
}

/** Reading it failed. */
const UNREAD: Verdict = {
  kind: 'damaged',
  text: 'Damaged file: it can’t be read',
  about: null,
  messageKey: null,
  waits: null,
  open: null,
}

const NO_FAILURES = { tools: 0, refused: 0, unanswered: 0 }

/** The row of a session that could not be read in full, with the reason. */
export function failedRecord(record: SessionRecord, failure: string): SessionRecord {
  const reason = `Reading it failed: ${failure}`
  return {
    ...record,
    summary: {
      ...record.summary,
      indexed: 'full',
      verdict: UNREAD,
      ended: null,
      outcome: outcomeOf(UNREAD, { isUnread: true }),
      failures: NO_FAILURES,
      fates: { laterSucceeded: 0, stillFailing: 0, neverRerun: 0 },
      issues: 1,
      models: [],
      counts: NO_COUNTS,
      recorded: { turns: 0, toolCalls: 0 },
      usage: NO_USAGE,
      liveUsage: NO_USAGE,
      cost: NO_COST,
      withSubagents: { usage: NO_USAGE, cost: NO_COST, toolCalls: 0, failures: NO_FAILURES },
      files: record.summary.files.map((file) => ({ ...file, role: 'damaged' })),
    },
    issues: [{ code: 'unreadable', at: '', args: { reason }, file: record.summary.files[0]?.path ?? '' }],
  }
}
