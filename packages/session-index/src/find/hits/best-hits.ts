import type { ShardStore } from '../../shard/store/shard-store.ts'
import type { RowMasks } from '../rows/row-masks.ts'
import { BestRows } from './best-rows.ts'
import type { RankedRow } from './compare-hits.ts'
import { fieldsOfRow } from './hit-fields.ts'
import type { HitReference } from './shard-found.ts'

/** The first so many hits: those with the best scores, the newest where nothing is scored. */
export function bestHits(
  masks: RowMasks,
  store: ShardStore,
  wanted: number,
  scores: Float64Array | null,
): HitReference[] {
  if (wanted === 0) return []
  const { table } = store
  const sessionOf = (row: number) => store.session(table.sessions[row] ?? 0)
  const best = new BestRows(
    wanted,
    (row): RankedRow => ({
      sessionKey: sessionOf(row)?.key ?? '',
      groupId: sessionOf(row)?.groupId ?? '',
      timeMs: table.timesMs[row] ?? 0,
      place: table.places[row] ?? 0,
      score: scores?.[row] ?? 0,
    }),
  )
  for (let row = 0; row < masks.length; row++) {
    if (masks[row] === 0 || table.sessions[row] === 0) continue
    best.offer(row, scores?.[row] ?? 0, table.timesMs[row] ?? 0)
  }
  return best
    .inOrder()
    .flatMap(({ row, ...ranked }) =>
      fieldsOfRow(masks, table, row).map((field) => ({
        ...ranked,
        row,
        isTitle: table.slots[row] === 0,
        field,
      })),
    )
    .slice(0, wanted)
}
