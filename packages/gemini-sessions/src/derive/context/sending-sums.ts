import type { ContextCall } from '../../model/insights/context-xray.ts'
import type { SentPiece } from './context-state.ts'

/** What one token of a context was sent for, summed up from its first call: index n tells of the first n calls. */
export class SendingSums {
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
