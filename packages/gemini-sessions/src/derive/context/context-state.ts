import type { ContextPiece } from './weigh-message.ts'

/** A piece with the place of the message that brought it. */
export interface PlacedPiece extends ContextPiece {
  messageKey: string
  offset: number
  turn: number
  /** Position in the list of blocks. */
  block: number
}

/** A piece that has left the context, and which calls of it sent the piece: from `fromCall` to before `toCall`. */
export type SentPiece = PlacedPiece & { agentKey: string | null; fromCall: number; toCall: number }

/**
 * What one model holds as the conversation goes on. A branch that was taken back is held by its own calls only.
 * Pieces are counted, not walked, at each call: a session can have ten thousands of both.
 */
export class ContextState {
  readonly #agentKey: string | null
  readonly #trunk = new Holding()
  readonly #branch = new Holding()
  #calls = 0

  constructor(agentKey: string | null) {
    this.#agentKey = agentKey
  }

  add(piece: PlacedPiece, isInBranch: boolean): void {
    const holding = isInBranch ? this.#branch : this.#trunk
    holding.add(piece, this.#calls)
  }

  /** A call is made. Returns the estimated tokens that it sends, by block. */
  call(): readonly number[] {
    this.#calls += 1
    const tokens = this.#trunk.tokens.slice()
    for (const [block, more] of this.#branch.tokens.entries()) addAt(tokens, block, more)
    return tokens
  }

  /** What follows knows nothing of the branch. */
  leaveBranch(): SentPiece[] {
    return this.#empty(this.#branch)
  }

  /** Compressed, or at its end: what is said from here on stands alone. */
  clear(): SentPiece[] {
    return [...this.#empty(this.#trunk), ...this.leaveBranch()]
  }

  #empty(holding: Holding): SentPiece[] {
    const sending = { agentKey: this.#agentKey, toCall: this.#calls }
    return holding.empty().map(({ piece, fromCall }) => ({ ...piece, ...sending, fromCall }))
  }
}

class Holding {
  /** By block. A list and no map, as each call takes a copy: a long session has thousands of calls. */
  readonly tokens: number[] = []
  #pieces: { piece: PlacedPiece; fromCall: number }[] = []

  add(piece: PlacedPiece, fromCall: number): void {
    this.#pieces.push({ piece, fromCall })
    addAt(this.tokens, piece.block, piece.tokens)
  }

  empty(): { piece: PlacedPiece; fromCall: number }[] {
    const pieces = this.#pieces
    this.#pieces = []
    this.tokens.length = 0
    return pieces
  }
}

function addAt(tokens: number[], block: number, more: number): void {
  while (tokens.length <= block) tokens.push(0)
  tokens[block] = (tokens[block] ?? 0) + more
}
