import type { ContextCall, ContextItem } from '../../model/insights/context-xray.ts'
import type { SentPiece } from './context-state.ts'
import { BASELINE } from './fit-calls.ts'

const MAX_ITEMS = 50

/** Of each model its calls in order, as positions in the list of calls; null for one without recorded tokens. */
export type CallsOfModels = ReadonlyMap<string | null, readonly (number | null)[]>

/** What was sent most, pieces and baselines; `factor` makes tokens of the lengths of pieces. */
export function listItems(
  pieces: readonly SentPiece[],
  calls: readonly ContextCall[],
  callsOf: CallsOfModels,
  factor: number,
): ContextItem[] {
  const sums = new Map<string | null, SendingSums>()
  for (const [agentKey, positions] of callsOf) {
    const ofModel = new SendingSums()
    for (const position of positions) ofModel.add(position === null ? undefined : calls[position])
    sums.set(agentKey, ofModel)
  }
  const items = pieces.map((piece) => toItem(piece, sums.get(piece.agentKey) ?? new SendingSums(), factor))
  const baselines = [...callsOf.values()].flatMap((positions) =>
    toBaseline(positions.flatMap((position) => (position === null ? [] : (calls[position] ?? [])))),
  )
  return [...items, ...baselines]
    .filter(({ tokens, sentTokens }) => tokens > 0 && sentTokens > 0)
    .sort((one, other) => other.sentTokens - one.sentTokens || one.offset - other.offset)
    .slice(0, MAX_ITEMS)
}

function toItem(piece: SentPiece, sums: SendingSums, factor: number): ContextItem {
  const { messageKey, offset, turn, call, kind, name, label, fromCall, toCall } = piece
  const tokens = piece.tokens * factor
  const resentUsd = sums.resentUsd(piece)
  return {
    messageKey,
    offset,
    turn,
    call,
    kind,
    name,
    label,
    tokens: Math.round(tokens),
    sent: toCall - fromCall,
    sentTokens: Math.round(tokens * sums.shares(piece)),
    resentUsd: resentUsd === null ? null : resentUsd * tokens,
  }
}

/** Instructions and tools, which stand before every prompt of a model. */
function toBaseline(calls: readonly ContextCall[]): ContextItem[] {
  const [first, ...again] = calls
  if (first === undefined) return []
  const priced = again.filter(({ inputUsd, input }) => inputUsd !== null && input > 0)
  const baselineOf = ({ tokens }: ContextCall) => tokens[BASELINE] ?? 0
  const usd = priced.reduce((sum, call) => sum + ((call.inputUsd ?? 0) / call.input) * baselineOf(call), 0)
  return [
    {
      messageKey: first.messageKey,
      offset: first.offset,
      turn: first.turn,
      call: null,
      kind: 'baseline',
      name: '',
      label: '',
      tokens: baselineOf(first),
      sent: calls.length,
      sentTokens: calls.reduce((sum, call) => sum + baselineOf(call), 0),
      resentUsd: priced.length === 0 && again.length > 0 ? null : usd,
    },
  ]
}

/** What one token of a context was sent for, summed up from its first call: index n tells of the first n calls. */
class SendingSums {
  readonly #shares = [0]
  readonly #usd = [0]
  readonly #priced = [0]

  /** A call of which no tokens are recorded sent its context all the same, at a price that nobody knows. */
  add(call: ContextCall | undefined): void {
    const { input, inputUsd, scale } = call ?? { input: 0, inputUsd: null, scale: 1 }
    const isPriced = inputUsd !== null && input > 0
    this.#shares.push(last(this.#shares) + scale)
    this.#usd.push(last(this.#usd) + (isPriced ? (inputUsd / input) * scale : 0))
    this.#priced.push(last(this.#priced) + (isPriced ? 1 : 0))
  }

  /** Sendings of a token by these calls; masked ones are parts of one. */
  shares({ fromCall, toCall }: Pick<SentPiece, 'fromCall' | 'toCall'>): number {
    return between(this.#shares, fromCall, toCall)
  }

  /** Price of every sending of a token but the first; null where none is known. */
  resentUsd({ fromCall, toCall }: Pick<SentPiece, 'fromCall' | 'toCall'>): number | null {
    const again = Math.min(fromCall + 1, toCall)
    return between(this.#priced, again, toCall) === 0 && again < toCall
      ? null
      : between(this.#usd, again, toCall)
  }
}

function between(sums: readonly number[], from: number, to: number): number {
  return (sums[to] ?? 0) - (sums[from] ?? 0)
}

function last(sums: readonly number[]): number {
  return sums.at(-1) ?? 0
}
