import { SEARCH_FIELDS } from '../database/schema.ts'
import { type IndexTree, type QueryText, wantedTexts } from '../query/tree/query-tree.ts'
import type { RowTable } from '../rows/row-table.ts'
import { lengthOfCode } from '../rows/session-rows.ts'
import { ALL_FIELDS, type RowMasks } from './row-masks.ts'

/** In the order of the fields: a word in a title or a prompt says more than one in a tool's output. */
const FIELD_WEIGHTS = [8, 4, 3, 2, 1, 1, 1, 1]

/** About what a message says in one field, in bytes: shorter texts weigh more, longer ones less. */
const USUAL_LENGTH = 600
// As in BM25, which this is but for one thing: a word counts once however often a text repeats it. So no text has to
// be looked at, and every match can be scored.
const SATURATION = 1.2
const LENGTH_SHARE = 0.75

/** How much each row says about the wanted words: rare words, short texts and weighty fields make more of it. */
export function rankRows(
  tree: IndexTree,
  masks: RowMasks,
  table: RowTable,
  findText: (text: QueryText, fields: number) => RowMasks,
): Float64Array {
  const scores = new Float64Array(table.size)
  for (const text of wantedTexts(tree)) {
    const found = findText(text, ALL_FIELDS)
    const rarity = Math.log(
      1 + table.count / (1 + found.reduce((rows, mask) => rows + Number(mask !== 0), 0)),
    )
    for (let row = 0; row < found.length; row++) {
      if (masks[row] === 0 || found[row] === 0) continue
      scores[row] = (scores[row] ?? 0) + rarity * bestField(found[row] ?? 0, table.lengths, row)
    }
  }
  return scores
}

const WEIGHT_OF_LENGTH = Float64Array.from({ length: 256 }, (_, code) => {
  const length = lengthOfCode(code) / USUAL_LENGTH
  return (SATURATION + 1) / (1 + SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * length))
})

function bestField(bits: number, lengths: Uint8Array, row: number): number {
  let best = 0
  for (let field = 0; field < SEARCH_FIELDS.length; field++) {
    if ((bits & (1 << field)) === 0) continue
    const length = lengths[row * SEARCH_FIELDS.length + field] ?? 0
    best = Math.max(best, (FIELD_WEIGHTS[field] ?? 1) * (WEIGHT_OF_LENGTH[length] ?? 0))
  }
  return best
}
