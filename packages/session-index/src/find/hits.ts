import type { SearchField } from '@gemini-dash/api'
import { SEARCH_FIELDS } from '@gemini-dash/api/search-fields'
import type { Message } from 'gemini-sessions'
import type { HitPosition, IndexScan, ScanPosition } from '../contract.ts'
import { ALL_FIELDS, PLACE_SHIFT, type RowMask, TELLING_SHIFT } from '../evaluate.ts'
import type { IndexTree } from '../query/tree.ts'
import { pathPattern } from '../rows.ts'
import { type FieldPiece, stringValues, toolOutputTexts } from '../text.ts'

/** One hit, small enough to compare with those of other shards. */
export interface HitReference extends HitPosition {
  groupId: string
  /** `search_row.id`; negative for a title. */
  row: number
}

/** Hit counts by key, as two lists, which are transferred quickly between threads. */
export interface HitsBy<Key> {
  keys: Key[]
  hits: number[]
}

/** Number of hits in one shard. */
export interface ShardCounts {
  total: number
  messageTotal: number
  bySession: HitsBy<string>
  byField: HitsBy<SearchField>
  /** Keys are the start of a quarter hour in milliseconds since 1970. */
  byQuarterHour: HitsBy<number>
  /** Hits in messages with a failed call or request, and in superseded ones. */
  stateCounts: { error: number; superseded: number }
  /** Hits in prompts without an answer. */
  unansweredBySession: HitsBy<string>
  /** null: not requested. */
  callCounts: CallCounts | null
}

export interface CallCounts {
  /** Hits of the messages that called the tool. */
  byTool: HitsBy<string>
  /** Hits in messages with a call of that status. */
  byStatus: HitsBy<string>
}

/** Progress of a search in the files. */
export interface ScanProgress extends Omit<IndexScan, 'continueAt'> {
  /** null: it is complete. */
  continueAt: ScanPosition | null
}

/**
 * A shard's answer to a search: all counts, and the best hits after a position without their texts: one more than the page has, if it
 * exists.
 */
export interface ShardFound extends ShardCounts {
  best: HitReference[]
  /** For each of `alsoCount`. */
  alsoCounted: ShardCounts[]
  /** null: no file had to be searched. */
  scan: ScanProgress | null
}

/** Keeps the first hits after a position without sorting all candidates. */
export class BestHits<Hit extends HitPosition> {
  readonly #wanted: number
  readonly #after: HitPosition | undefined
  #kept: Hit[] = []
  /** The last of the best so far, once there are enough. */
  #last: HitPosition | undefined

  constructor(wanted: number, after?: HitPosition) {
    this.#wanted = wanted
    this.#after = after
  }

  /** Calls `describe` only if score and time do not decide. */
  offer(score: number, timeMs: number, describe: () => Hit): void {
    const last = this.#last
    const after = this.#after
    if (this.#wanted === 0) return
    if (last !== undefined && isBehind(score, timeMs, last)) return
    if (after !== undefined && (score > after.score || (score === after.score && timeMs > after.timeMs)))
      return
    const hit = describe()
    if (after !== undefined && compareHits(hit, after) <= 0) return
    this.#kept.push(hit)
    if (this.#kept.length >= 2 * this.#wanted + 100) this.#cut()
  }

  inOrder(): Hit[] {
    this.#cut()
    return this.#kept
  }

  #cut(): void {
    this.#kept = this.#kept.sort(compareHits).slice(0, this.#wanted)
    if (this.#kept.length === this.#wanted) this.#last = this.#kept.at(-1)
  }
}

function isBehind(score: number, timeMs: number, last: HitPosition): boolean {
  return score < last.score || (score === last.score && timeMs < last.timeMs)
}

/** Best score, then newest, then a stable order. No two hits are equal. */
export function compareHits(a: HitPosition, b: HitPosition): number {
  return (
    b.score - a.score ||
    b.timeMs - a.timeMs ||
    (a.sessionKey < b.sessionKey ? -1 : a.sessionKey > b.sessionKey ? 1 : 0) ||
    b.place - a.place ||
    a.group - b.group ||
    SEARCH_FIELDS.indexOf(a.field) - SEARCH_FIELDS.indexOf(b.field)
  )
}

/**
 * Bits of the fields in which a row is a hit: those with the words; without words, those the filters are about, else the main field;
 * limited to the requested places.
 */
export function hitBits(mask: RowMask, mainField: number): number {
  if ((mask & ALL_FIELDS) !== 0) return mask & ALL_FIELDS
  const places = (mask >> PLACE_SHIFT) & ALL_FIELDS || ALL_FIELDS
  const telling = (mask >> TELLING_SHIFT) & places
  if (telling !== 0) return telling & -telling
  const main = 1 << mainField
  return (places & main) !== 0 ? main : places & -places
}

/** Number of hits for a row with these fields. */
export function hitCount(bits: number): number {
  return COUNT_OF_BITS[bits] ?? 0
}

const COUNT_OF_BITS = Uint8Array.from({ length: ALL_FIELDS + 1 }, (_, bits) => {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1
  return count
})

/** Ranking: prompts and answers, then thoughts, then commands, then output. */
const RANKS: Record<SearchField, number> = {
  title: 5,
  prompt: 4,
  answer: 4,
  thought: 3,
  'tool-args': 2,
  'tool-output': 1,
  notice: 1,
  attachment: 1,
}
const RANK_OF_FIELD = SEARCH_FIELDS.map((field) => RANKS[field])
const MOST_TEXTS = 63

/**
 * How well a field of a row matches the wanted texts: by type of field, then by how many different texts it contains. 0: none.
 *
 * @param texts for each wanted text, by row the bits of the fields that contain it
 */
export function scoreHit(texts: readonly Uint8Array[], row: number, field: number): number {
  let count = 0
  for (const bits of texts) count += ((bits[row] ?? 0) >> field) & 1
  return count === 0 ? 0 : (RANK_OF_FIELD[field] ?? 0) * (MOST_TEXTS + 1) + Math.min(count, MOST_TEXTS)
}

/** Moves the text that most filters ask for to the front: of several calls the path, the tool, the failure. */
export function tellingFirst(
  pieces: FieldPiece[],
  tree: IndexTree | null,
  message: Message | null,
): FieldPiece[] {
  if (tree === null || message === null) return pieces
  const counts = pieces.map((piece) => askedBy(piece, tree, message))
  const first = pieces[counts.indexOf(Math.max(...counts))]
  return first === undefined ? pieces : [first, ...pieces.filter((piece) => piece !== first)]
}

/** How many filters of the tree ask for exactly this text. */
function askedBy(piece: FieldPiece, tree: IndexTree, message: Message): number {
  switch (tree.kind) {
    case 'and':
    case 'or':
      return tree.of.reduce((sum, part) => sum + askedBy(piece, part, message), 0)
    case 'file':
      return Number(piece.field === 'tool-args' && pathPattern(tree.pattern)(toPath(piece.text)))
    case 'tools':
      return Number(piece.toolName !== null && tree.names.includes(piece.toolName))
    case 'is':
      return Number(tree.what === 'error' && failedTexts(message).includes(piece.text))
    case 'has':
      return Number(piece.field === 'tool-args' && textsOfCallsWith(tree.what, message).includes(piece.text))
    default:
      return 0
  }
}

function toPath(text: string): string {
  return text.replaceAll('\\', '/')
}

function failedTexts({ toolCalls }: Message): string[] {
  return toolCalls.flatMap((call) => (call.failed ? toolOutputTexts(call) : []))
}

/** Arguments of only those calls of the message that produced what is asked for. */
function textsOfCallsWith(what: string, { toolCalls }: Message): string[] {
  return toolCalls
    .filter((call) => [call.output, call.display, ...call.extraParts].some((shown) => shown?.kind === what))
    .flatMap(({ args }) => stringValues(args))
}
