import { hashGroup } from '../contract/hash-group.ts'
import type { IndexGroup } from '../contract/index-group.ts'
import type { IndexSearchRequest } from '../contract/index-search.ts'
import { evaluateTree } from '../evaluate/evaluate-tree.ts'
import { fieldBits, HOLDS, type RowMasks } from '../evaluate/row-masks.ts'
import { queryMatcher } from '../match/query-matcher.ts'
import { OutOfTime, type SearchClock } from '../match/search-clock.ts'
import type { TextMatcher } from '../match/text-matcher.ts'
import type { IndexTree } from '../query/tree/query-tree.ts'
import { type GroupFilter, groupFilter } from '../source/group-filter.ts'
import type { SessionReader } from '../source/session-reader.ts'
import type { ShardStore, StoredSession } from '../store/shard-store.ts'
import { type FieldPiece, fieldPieces } from '../text/field-pieces.ts'
import { answerSearch } from './answer-search.ts'
import type { ScanProgress, ShardFound } from './hits/shard-found.ts'
import { type OrderedGroup, SCAN_END, scanSpan } from './scan-span.ts'

export interface ScanRun {
  pause: () => Promise<void>
  /** Called between two groups with what was found so far. */
  onPartial: (found: () => ShardFound) => void
  signal: AbortSignal
  clock: SearchClock
}

/**
 * Looks at the whole text of every session that fulfils the filters, newest first: for what the index of words cannot
 * answer. Files whose bytes show that they cannot hold the pattern are not parsed. When its time is over it answers with
 * what it has found and the position at which it stopped, which is behind the one at which it began.
 */
export async function findByScan(
  store: ShardStore,
  reader: SessionReader,
  request: IndexSearchRequest,
  { pause, onPartial, signal, clock }: ScanRun,
): Promise<ShardFound> {
  const { matcher } = await queryMatcher(request, clock.check)
  const { table } = store
  const found = new Uint32Array(table.size)
  const progress: ScanProgress = { filesDone: 0, filesTotal: 0, messagesLeftOut: 0, stoppedAt: SCAN_END }
  /** The rows of a tree, as if the pattern stood in these fields of each row. */
  const rowsWith = (tree: IndexTree, places: Uint8Array | RowMasks) =>
    evaluateTree(tree, { ...store.conditions(), findText: (_, fields) => textRows(places, fields) })
  const withIt = (tree: IndexTree | null) => withPattern({ tree, pattern: request.pattern })
  const result = () =>
    answerSearch(store, request, {
      rowsOf: (tree) => rowsWith(withIt(tree), found),
      scores: () => null,
      scan: { ...progress },
    })
  if (matcher === null) return result()
  const mayHold = groupFilter(request.mode === 'regex' ? 'regex' : 'substring', request.pattern)
  const asked = [request.tree, ...(request.alsoCount ?? [])].map(withIt)
  const candidates = rowsWith({ kind: 'or', of: asked }, table.fields.subarray(0, table.size))
  const scan = { store, reader, matcher, mayHold, candidates, found, pause, signal, clock, progress }
  const groups = newestFirst(store, candidates)
  progress.filesTotal = groups.reduce((sum, { group }) => sum + group.files.length, 0)
  const { before, within } = scanSpan(groups, request)
  progress.filesDone = before.reduce((sum, { group }) => sum + group.files.length, 0)
  let hasGotOn = false
  for (const { group, firstMessage, endMessage, position } of within) {
    if (signal.aborted) break
    if (hasGotOn && clock.isOver) {
      progress.stoppedAt = position(firstMessage)
      break
    }
    const stoppedAt = await scanGroup(scan, group, { firstMessage, endMessage })
    if (stoppedAt !== null) {
      progress.stoppedAt = position(stoppedAt)
      break
    }
    hasGotOn = true
    progress.filesDone += group.files.length
    onPartial(result)
    await pause()
  }
  return result()
}

interface ScanState extends Omit<ScanRun, 'onPartial'> {
  store: ShardStore
  reader: SessionReader
  /** null: only parsing tells. */
  mayHold: GroupFilter | null
  matcher: TextMatcher
  /** Which fields of which rows are to be looked at. */
  candidates: RowMasks
  found: RowMasks
  progress: ScanProgress
}

/** The pattern as if it were a word beside the filters: evaluated with whatever knows where it stands. */
export function withPattern({ tree, pattern }: Pick<IndexSearchRequest, 'tree' | 'pattern'>): IndexTree {
  const filters = tree === null ? [] : tree.kind === 'and' ? tree.of : [tree]
  return { kind: 'and', of: [...filters, { kind: 'text', words: [pattern], isPrefix: false }] }
}

/** The rows of which a wanted field is among these. */
function textRows(places: Uint8Array | RowMasks, fields: number): RowMasks {
  return Uint32Array.from(places, (bits) => ((bits & fields) === 0 ? 0 : HOLDS | (bits & fields)))
}

function newestFirst(store: ShardStore, candidates: RowMasks): OrderedGroup[] {
  const { table } = store
  const newest = new Map<string, number>()
  for (let row = 0; row < candidates.length; row++) {
    const session = store.session(table.sessions[row] ?? 0)
    if (candidates[row] === 0 || session === undefined) continue
    newest.set(session.groupId, Math.max(newest.get(session.groupId) ?? 0, table.timesMs[row] ?? 0))
  }
  return [...newest]
    .flatMap(([groupId, timeMs]) => {
      const group = store.groups.get(groupId)
      return group === undefined ? [] : [{ group, timeMs, hash: hashGroup(groupId) }]
    })
    .sort((a, b) => b.timeMs - a.timeMs || a.hash - b.hash)
}

/** null: as far as it was to be looked at; else before which message the time was over. */
async function scanGroup(
  scan: ScanState,
  group: IndexGroup,
  span: { firstMessage: number; endMessage: number },
): Promise<number | null> {
  const { mayHold, pause, signal } = scan
  if (span.firstMessage === 0) scanTitles(scan, group)
  if (!hasMessages(scan, group) || signal.aborted) return null
  // where it goes on the bytes were looked at
  if (span.firstMessage === 0 && mayHold !== null && !(await mayHold(group, pause))) return null
  return await scanMessages(scan, group, span)
}

/** What stands in a title need not stand in the file like that, so it is looked at by itself. */
function scanTitles(scan: ScanState, group: IndexGroup): void {
  const { store, candidates } = scan
  for (const { number } of store.sessionsOf(group.id)) {
    const row = store.table.rowsOf(number)[0] ?? -1
    if (row < 0 || !candidates[row]) continue
    markFields(scan, row, store.titlePieces(number))
  }
}

function hasMessages({ store, candidates }: ScanState, group: IndexGroup): boolean {
  return store
    .sessionsOf(group.id)
    .some(({ number }) =>
      store.table.rowsOf(number).some((row, slot) => slot > 0 && row >= 0 && candidates[row]),
    )
}

/** As `scanGroup`. One message at least is looked at. */
async function scanMessages(
  scan: ScanState,
  group: IndexGroup,
  { firstMessage, endMessage }: { firstMessage: number; endMessage: number },
): Promise<number | null> {
  const { store, reader, candidates, pause, signal, clock } = scan
  const sessions = new Map((await reader.readOnce(group)).map((session) => [session.key, session]))
  let place = 0
  for (const stored of store.sessionsOf(group.id)) {
    const rows = rowsByKey(store, stored)
    for (const message of sessions.get(stored.key)?.messages ?? []) {
      if (place >= endMessage) return null
      if (place > firstMessage && clock.isOver) return place
      const row = rows.get(message.key)
      if (place >= firstMessage && row !== undefined && candidates[row]) {
        markFields(scan, row, fieldPieces(message))
        await pause()
        if (signal.aborted) return null
      }
      place += 1
    }
  }
  return null
}

function rowsByKey(store: ShardStore, { number }: StoredSession): Map<string, number> {
  const rows = store.table.rowsOf(number)
  return new Map(
    store.slots(number).flatMap((slot, index) => {
      const row = rows[index] ?? -1
      return slot === null || slot[0] === null || row < 0 ? [] : [[slot[0], row] as const]
    }),
  )
}

function markFields(scan: ScanState, row: number, pieces: FieldPiece[]): void {
  const { candidates, found, matcher, clock, progress } = scan
  const wanted = candidates[row] ?? 0
  let bits = 0
  clock.beginMessage()
  try {
    for (const { field, text } of pieces) {
      const bit = fieldBits([field])
      if ((wanted & bit) !== 0 && (bits & bit) === 0 && matcher.isIn(text)) bits |= bit
    }
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error
    progress.messagesLeftOut += 1
  }
  if (bits !== 0) found[row] = HOLDS | bits
}
