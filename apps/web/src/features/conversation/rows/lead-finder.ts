import type { Compression, Message, Turn } from 'gemini-sessions'
import { dayOf } from '../../../lib/figures/format.ts'
import type { Lead, RowSource } from './row.ts'

/** A pause shorter than this needs no words. */
const PAUSE_MS = 30 * 60_000

/** What stands above a message, as far as the session tells it. */
export class LeadFinder {
  private readonly source: RowSource
  private readonly turnsByKey: Map<string, Turn>
  private readonly compressionsByKey: Map<string, Compression>
  private readonly resumedKeys: Set<string>
  private ledTurn: Turn | null = null
  /** Messages that the reader had seen before came by; what is new begins below them, once. */
  private newness: 'seen' | 'said' | null = null

  constructor(source: RowSource) {
    this.source = source
    this.turnsByKey = new Map(source.turns.map((turn) => [turn.messageKey, turn]))
    this.compressionsByKey = new Map(source.compressions.map((seam) => [seam.messageKey, seam]))
    this.resumedKeys = new Set(source.resumedKeys)
  }

  /** The message is the first one behind a compression, or of another file. */
  opensPart(previous: Message | null, message: Message): boolean {
    return this.compressionsByKey.has(message.key) || isNewPart(previous, message)
  }

  /** null where the message opens no part. */
  seam(previous: Message | null, message: Message): Lead | null {
    const compression = this.compressionsByKey.get(message.key)
    const isPart = isNewPart(previous, message)
    const segment = this.source.segments[message.segment]
    if (compression !== undefined) {
      return {
        kind: 'compressed',
        key: `compressed-${message.key}`,
        inputBefore: compression.inputBefore,
        inputAfter: compression.inputAfter,
        part: isPart ? message.segment + 1 : null,
        file: isPart ? (segment?.file ?? '') : '',
      }
    }
    if (!isPart) return null
    const { reason, file } = segment ?? { reason: 'resume', file: '' }
    return { kind: 'part', key: `part-${message.key}`, part: message.segment + 1, reason, file }
  }

  /** Between messages that a filter brought together pauses are of no interest. */
  pause(previous: Message | null, message: Message): Lead | null {
    if (this.source.positions !== null || !previous?.timestamp || !message.timestamp) return null
    const isNewDay = dayOf(new Date(previous.timestamp)) < dayOf(new Date(message.timestamp))
    const isLong = Date.parse(message.timestamp) - Date.parse(previous.timestamp) > PAUSE_MS
    if (!isNewDay && !isLong) return null
    const key = `pause-${message.key}`
    return { kind: 'pause', key, from: previous.timestamp, to: message.timestamp, isNewDay }
  }

  /** The first message that came since the reader was here last. */
  news(message: Message): Lead | null {
    const { seenUntilMs, positions } = this.source
    if (seenUntilMs === null || positions !== null || message.timestamp === null) return null
    if (Date.parse(message.timestamp) <= seenUntilMs) this.newness ??= 'seen'
    else if (this.newness === 'seen') {
      this.newness = 'said'
      return { kind: 'new', key: `new-${message.key}` }
    }
    return null
  }

  resumed(message: Message): Lead | null {
    return this.resumedKeys.has(message.key) ? { kind: 'resumed', key: `resumed-${message.key}` } : null
  }

  turn(message: Message, offset: number): Lead | null {
    const turn = this.source.positions === null ? this.turnOf(message) : this.newTurnAt(offset)
    return turn && { kind: 'turn', key: `turn-${message.key}`, turn }
  }

  /** What stands before the first prompt (turn 0) has no header. */
  private turnOf(message: Message): Turn | null {
    const turn = this.turnsByKey.get(message.key)
    return turn === undefined || turn.number === 0 ? null : turn
  }

  /** Under a filter the prompt may be left out: the first message of each turn tells of it. */
  private newTurnAt(offset: number): Turn | null {
    const turn = this.source.turns.findLast(({ firstOffset }) => firstOffset <= offset) ?? null
    if (turn === this.ledTurn || turn === null || turn.number === 0) return null
    this.ledTurn = turn
    return turn
  }
}

function isNewPart(previous: Message | null, message: Message): boolean {
  return previous !== null && previous.segment !== message.segment
}
