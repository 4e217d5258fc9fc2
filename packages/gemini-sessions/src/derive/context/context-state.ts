import type { ContextPiece } from './weigh-message.ts'

/** A piece with the place of the message that brought it. */
export interface PlacedPiece extends ContextPiece {
  messageKey: string
  offset: number
  /** Position in the list of blocks. */
  block: number
}

/** A piece that has left the context, and how many calls sent it. */
export type SentPiece = PlacedPiece & { sent: number }

/**
 * What one model holds as the conversation goes on. A branch that was taken back is held by its own calls only.
 * Pieces are counted, not walked, at each call: a session can have ten thousands of both.
 */
export class ContextState {
  readonly #trunk = new Holding()
  readonly #branch = new Holding()
  #calls = 0

  add(piece: PlacedPiece, isInBranch: boolean): void {
    const holding = isInBranch ? this.#branch : this.#trunk
    holding.add(piece, this.#calls)
  }

  /** A call is made. Returns the estimated tokens that it sends, by block. */
  call(): ReadonlyMap<number, number> {
    this.#calls += 1
    const tokens = new Map(this.#trunk.tokens)
    for (const [block, more] of this.#branch.tokens) tokens.set(block, (tokens.get(block) ?? 0) + more)
    return tokens
  }

  /** What follows knows nothing of the branch. */
  leaveBranch(): SentPiece[] {
    return this.#branch.empty(this.#calls)
  }

  /** Compressed, or at its end: what is said from here on stands alone. */
  clear(): SentPiece[] {
    return [...this.#trunk.empty(this.#calls), ...this.leaveBranch()]
  }
}

class Holding {
  readonly tokens = new Map<number, number>()
  #pieces: { piece: PlacedPiece; fromCall: number }[] = []

  add(piece: PlacedPiece, fromCall: number): void {
    this.#pieces.push({ piece, fromCall })
    this.tokens.set(piece.block, (this.tokens.get(piece.block) ?? 0) + piece.tokens)
  }

  empty(calls: number): SentPiece[] {
    const sent = this.#pieces.map(({ piece, fromCall }) => ({ ...piece, sent: calls - fromCall }))
    this.#pieces = []
    this.tokens.clear()
    return sent
  }
}
