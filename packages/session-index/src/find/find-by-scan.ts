import type { IndexGroup } from '../contract/index-group.ts'
import type { IndexSearchRequest } from '../contract/index-search.ts'
import { evaluateTree } from '../evaluate/evaluate-tree.ts'
import { fieldBits, HOLDS, type RowMasks } from '../evaluate/row-masks.ts'
import { queryMatcher } from '../match/query-matcher.ts'
import type { TextMatcher } from '../match/text-matcher.ts'
import type { IndexTree } from '../query/tree/query-tree.ts'
import { groupFilter } from '../source/group-filter.ts'
import type { SessionReader } from '../source/session-reader.ts'
import type { ShardStore, StoredSession } from '../store/shard-store.ts'
import { type FieldPiece, fieldPieces } from '../text/field-pieces.ts'
import { answerSearch } from './answer-search.ts'
import type { ShardFound } from './hits/shard-found.ts'

export interface ScanRun {
  pause: () => Promise<void>
  /** Called between two groups with what was found so far. */
  onPartial: (found: () => ShardFound) => void
  signal: AbortSignal
}

/**
 * Looks at the whole text of every session that fulfils the filters, newest first: for what the index of words cannot
 * answer. Files whose bytes show that they cannot hold the pattern are not parsed.
 */
export async function findByScan(
  store: ShardStore,
  reader: SessionReader,
  request: IndexSearchRequest,
  { pause, onPartial, signal }: ScanRun,
): Promise<ShardFound> {
  const { matcher } = await queryMatcher(request)
  const { table } = store
  const found = new Uint32Array(table.size)
  const progress = { filesDone: 0, filesTotal: 0 }
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
  const scan = { store, matcher, candidates, found, pause, signal }
  const groups = newestFirst(store, candidates)
  progress.filesTotal = groups.reduce((sum, { files }) => sum + files.length, 0)
  for (const group of groups) {
    if (signal.aborted) break
    scanTitles(scan, group)
    if (hasMessages(scan, group) && (mayHold === null || (await mayHold(group, pause)))) {
      await scanMessages(scan, group, reader)
    }
    progress.filesDone += group.files.length
    onPartial(result)
    await pause()
  }
  return result()
}

interface ScanState {
  store: ShardStore
  matcher: TextMatcher
  /** Which fields of which rows are to be looked at. */
  candidates: RowMasks
  found: RowMasks
  pause: () => Promise<void>
  signal: AbortSignal
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

function newestFirst(store: ShardStore, candidates: RowMasks): IndexGroup[] {
  const { table } = store
  const newest = new Map<string, number>()
  for (let row = 0; row < candidates.length; row++) {
    const session = store.session(table.sessions[row] ?? 0)
    if (candidates[row] === 0 || session === undefined) continue
    newest.set(session.groupId, Math.max(newest.get(session.groupId) ?? 0, table.timesMs[row] ?? 0))
  }
  return [...newest].sort((a, b) => b[1] - a[1]).flatMap(([groupId]) => store.groups.get(groupId) ?? [])
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

async function scanMessages(scan: ScanState, group: IndexGroup, reader: SessionReader): Promise<void> {
  const { store, candidates, pause, signal } = scan
  if (signal.aborted) return
  const sessions = new Map((await reader.readOnce(group)).map((session) => [session.key, session]))
  for (const stored of store.sessionsOf(group.id)) {
    const rows = rowsByKey(store, stored)
    for (const message of sessions.get(stored.key)?.messages ?? []) {
      const row = rows.get(message.key)
      if (row !== undefined && candidates[row]) markFields(scan, row, fieldPieces(message))
      await pause()
      if (signal.aborted) return
    }
  }
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

function markFields({ candidates, found, matcher }: ScanState, row: number, pieces: FieldPiece[]): void {
  const wanted = candidates[row] ?? 0
  let bits = 0
  for (const { field, text } of pieces) {
    const bit = fieldBits([field])
    if ((wanted & bit) !== 0 && (bits & bit) === 0 && matcher.isIn(text)) bits |= bit
  }
  if (bits !== 0) found[row] = HOLDS | bits
}
