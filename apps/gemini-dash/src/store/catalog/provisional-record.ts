import type { IndexGroup, SessionRecord } from '@gemini-dash/session-index'
import type { SessionHead } from 'gemini-sessions'
import { placeKey, placeOfFile, readFileNameTime, readSessionPath, sessionKey } from 'gemini-sessions'
import type { DiscoveredFile } from 'gemini-sessions/node'

/** A file and what its first bytes say. */
export interface HeadedFile {
  file: DiscoveredFile
  head: SessionHead
}

/**
 * The row of a group of which only the heads are read: true key, id and start, and a dash for every figure. The
 * group may turn out to be several sessions; then this key goes on to mean the first of them.
 */
export function provisionalRecord(group: IndexGroup, heads: readonly HeadedFile[]): SessionRecord {
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
    directories: [],
    buckets: [],
    tools: [],
    issues: [],
    drift: [],
  }
}

/** None of its files is in a home. */
function deletedSeen(files: readonly DiscoveredFile[]): string | null {
  const seen = files.flatMap(({ kept }) => kept?.lastSeen ?? [])
  return seen.length === files.length ? (seen.sort().at(-1) ?? null) : null
}

/** Each file's own key leads to its session from the first moment. */
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
