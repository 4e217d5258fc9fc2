import type { SideBranch } from '@gemini-dash/api'
import type { VirtualItem } from '@tanstack/react-virtual'
import type { Compression, Message, Turn } from 'gemini-sessions'
import { dayOf } from '../../lib/dates.ts'
import { isTakenBack } from '../../lib/session-words.ts'
import type {
  ConversationMessageRow,
  Divider,
  Ending,
  Fold,
  FoldCause,
  FoldedMessage,
  Row,
  RowSource,
} from './row.ts'

/** The rows of the conversation, top to bottom, from the loaded pages. */
export function buildRows(source: RowSource): Row[] {
  const builder = new RowBuilder(source)
  for (let start = 0; start < source.total; start += source.pageSize) {
    const number = start / source.pageSize
    const page = source.pages.get(number)
    const positions = source.positions?.get(number)
    const count = Math.min(source.pageSize, source.total - start)
    if (page === undefined) builder.addUnloaded(start, count)
    else {
      for (const [index, message] of page.entries()) {
        const at = start + index
        builder.addMessage({ message, at, offset: positions?.[index] ?? at })
      }
    }
  }
  return builder.finish()
}

class RowBuilder {
  private readonly rows: Row[] = []
  private readonly seenKeys = new Set<string>()
  private readonly dividerMaker: LeadFinder
  private readonly drawnKeys: Set<string>
  private readonly branches: BranchFinder
  private readonly failedTurns: FailedTurns
  /** Branches whose header has been added. */
  private readonly headed = new Set<SideBranch>()
  private dividers: Divider[] = []
  private openFold: { fold: Fold; dividers: Divider[] } | null = null
  private previous: Message | null = null
  /** An empty notice, held back until it is known whether a seam says the same. */
  private heldNotice: FoldedMessage | null = null
  private lastOffset = 0
  private readonly source: RowSource

  constructor(source: RowSource) {
    this.source = source
    this.dividerMaker = new LeadFinder(source)
    this.drawnKeys = new Set(source.drawnKeys)
    this.branches = new BranchFinder(source)
    this.failedTurns = new FailedTurns(source.turns, source.isLive)
  }

  /** In unloaded pages a closed branch is drawn anyway: its one line is known. */
  addUnloaded(at: number, count: number): void {
    const end = at + count
    let from = at
    for (const branch of this.branches.between(at, end)) {
      if (branch.firstOffset > from) this.addPlaceholder(from, branch.firstOffset)
      const branchEnd = Math.min(branch.firstOffset + branch.messages, end)
      if (this.openFold?.fold.branch !== branch) {
        this.drawHeldNotice()
        this.closeFold()
        this.openFold = { fold: this.toFold(branch.cause, branch, from), dividers: this.takeDividers() }
      }
      if (this.branches.isOpen(branch)) this.addPlaceholder(Math.max(from, branch.firstOffset), branchEnd)
      from = branchEnd
    }
    if (from < end) this.addPlaceholder(from, end)
  }

  private addPlaceholder(at: number, end: number): void {
    this.drawHeldNotice()
    this.closeFold()
    this.previous = null
    this.dividers = []
    const offset = this.source.positions === null ? at : this.lastOffset
    const count = end - at
    const lines = this.source.linesOf(at, count)
    this.rows.push({ kind: 'unloaded', key: `unloaded-${at}`, offset, at, count, lines })
  }

  addMessage(placed: FoldedMessage): void {
    const { message } = placed
    this.lastOffset = placed.offset
    // pages fetched at different times from a growing session can overlap by a message
    if (this.seenKeys.has(message.key)) return
    this.seenKeys.add(message.key)
    if (this.dividerMaker.opensPart(this.previous, message)) this.heldNotice = null
    this.drawHeldNotice()
    if (isEmptyNotice(message)) {
      this.heldNotice = placed
      return
    }
    this.place(placed)
  }

  private place(placed: FoldedMessage): void {
    const { message } = placed
    const cause = this.foldCause(placed)
    if (cause === null || !this.isFoldOf(placed, cause)) this.closeFold()
    this.addSeams(message)
    this.previous = message
    if (cause !== null) this.addToFold(placed, cause)
    else if (isDrawn(message)) this.addLive(placed)
  }

  finish(): Row[] {
    this.drawHeldNotice()
    this.closeFold()
    for (const [index, row] of this.rows.entries()) {
      if (row.kind === 'message') row.isLastOfTurn = !continuesSpine(this.rows[index + 1])
    }
    this.failedTurns.close(this.rows)
    joinRuns(this.rows)
    return this.rows
  }

  private drawHeldNotice(): void {
    const held = this.heldNotice
    this.heldNotice = null
    if (held !== null) this.place(held)
  }

  /** A notice that a rewrite dropped is drawn in place, like everything that a buried session shows. */
  private foldCause({ message, offset }: FoldedMessage): FoldCause | null {
    const { superseded, agentKey } = message
    if (superseded !== null && !this.drawnKeys.has(message.key) && !this.isDropped(message, offset))
      return superseded === 'replaced' && isNotice(message) ? null : superseded
    // what a filter selected is not hidden again
    return agentKey !== null && this.source.positions === null ? 'agent' : null
  }

  /** The CLI dropped it because a request failed, not because of the user: drawn like the rest. */
  private isDropped({ superseded }: Message, offset: number): boolean {
    return superseded === 'aborted' && this.failedTurns.at(offset) !== null
  }

  private isFoldOf({ message, offset }: FoldedMessage, cause: FoldCause): boolean {
    const fold = this.openFold?.fold
    if (fold?.cause !== cause) return false
    return cause === 'agent'
      ? fold.messages[0]?.message.agentKey === message.agentKey
      : fold.branch === this.branches.at(offset)
  }

  private addSeams(message: Message): void {
    const seam = this.dividerMaker.seam(this.previous, message)
    if (seam !== null) this.closeFold()
    this.addDivider(seam)
    // pauses between undone messages inside a fold are irrelevant
    if (this.openFold === null) this.addDivider(this.dividerMaker.pause(this.previous, message))
    if (this.openFold === null) this.addDivider(this.dividerMaker.news(message))
    this.addDivider(this.dividerMaker.resumed(message))
  }

  private addDivider(divider: Divider | null): void {
    if (divider !== null) this.dividers.push(divider)
  }

  private addLive({ message, offset, at }: FoldedMessage, isInBranch = false): void {
    this.addDivider(this.dividerMaker.turn(message, offset))
    this.rows.push({
      kind: 'message',
      key: message.key,
      dividers: this.takeDividers(),
      message,
      offset,
      at,
      isInBranch,
      isLastOfTurn: false,
      isTakenBack: isTakenBack(message.superseded) && !this.isDropped(message, offset),
      ending: null,
      run: null,
    })
  }

  private addToFold(placed: FoldedMessage, cause: FoldCause): void {
    this.openFold ??= {
      fold: this.toFold(cause, cause === 'agent' ? null : this.branches.at(placed.offset), placed.at),
      dividers: this.takeDividers(),
    }
    this.openFold.fold.messages.push(placed)
  }

  private toFold(cause: FoldCause, branch: SideBranch | null, at: number): Fold {
    const start = branch !== null && this.source.positions === null ? branch.firstOffset : at
    return { cause, branch, at: start, messages: [], isOpen: false }
  }

  private closeFold(): void {
    if (this.openFold === null) return
    const { fold, dividers } = this.openFold
    this.openFold = null
    const { branch, messages, cause } = fold
    const drawn = messages.filter((entry) => isDrawn(entry.message))
    const keys = messages.map((entry) => entry.message.key)
    const firstKey = branch?.firstKey ?? keys[0]
    // a lone tool result has nothing of its own to show
    if (firstKey === undefined || (branch === null && drawn.length === 0)) return
    fold.isOpen = branch === null ? this.source.isFoldOpen(keys, cause) : this.branches.isOpen(branch)
    if (branch === null || !this.headed.has(branch))
      this.rows.push({ kind: 'fold', key: `fold-${firstKey}`, dividers, fold })
    if (branch !== null) this.headed.add(branch)
    if (fold.isOpen) for (const placed of drawn) this.addLive(placed, cause !== 'agent')
  }

  private takeDividers(): Divider[] {
    const dividers = this.dividers
    this.dividers = []
    return dividers
  }
}

function continuesSpine(next: Row | undefined): boolean {
  return next?.kind === 'message' && next.dividers.length === 0
}

/** A turn that only carries tool results is drawn with the tool calls it answers. */
function isDrawn(message: Message): boolean {
  return (
    message.origin !== 'tool-result' ||
    message.content.some((part) => part.kind !== 'text' || part.text.trim() !== '')
  )
}

/** `/compress` up to 0.24 ends a file with an empty info; the seam that follows says the same. */
function isEmptyNotice(message: Message): boolean {
  return (
    message.type === 'info' &&
    message.content.every((part) => part.kind === 'text' && part.text.trim() === '')
  )
}

function isNotice(message: Message): boolean {
  return message.type === 'info' || message.type === 'warning' || message.type === 'error'
}

/** Side branches of a session by position, and whether each is open. */
class BranchFinder {
  private readonly source: RowSource
  private readonly known = new Map<SideBranch, boolean>()

  constructor(source: RowSource) {
    this.source = source
  }

  /** The branch that contains the message at this position of the whole session. */
  at(offset: number): SideBranch | null {
    const branch = this.source.branches[this.firstEndingAfter(offset)]
    return branch !== undefined && branch.firstOffset <= offset ? branch : null
  }

  /** In order; empty under a filter, where positions in the list differ from those in the session. */
  between(from: number, end: number): SideBranch[] {
    if (this.source.positions !== null) return []
    const branches: SideBranch[] = []
    for (let index = this.firstEndingAfter(from); index < this.source.branches.length; index += 1) {
      const branch = this.source.branches[index]
      if (branch === undefined || branch.firstOffset >= end) break
      branches.push(branch)
    }
    return branches
  }

  /** One answer for the whole branch, regardless of page boundaries. */
  isOpen(branch: SideBranch): boolean {
    const isOpen =
      this.known.get(branch) ??
      this.source.isFoldOpen([branch.firstKey, ...this.loadedKeys(branch)], branch.cause)
    this.known.set(branch, isOpen)
    return isOpen
  }

  /** A rewind may include an earlier one whose branch the reader had opened. */
  private loadedKeys({ firstOffset, messages }: SideBranch): string[] {
    const { pages, pageSize, positions } = this.source
    if (positions !== null) return []
    const keys: string[] = []
    for (let offset = firstOffset; offset < firstOffset + messages; offset += 1) {
      const message = pages.get(Math.floor(offset / pageSize))?.[offset % pageSize]
      if (message !== undefined) keys.push(message.key)
    }
    return keys
  }

  private firstEndingAfter(offset: number): number {
    const { branches } = this.source
    let low = 0
    let high = branches.length
    while (low < high) {
      const middle = (low + high) >> 1
      const branch = branches[middle]
      if (branch !== undefined && branch.firstOffset + branch.messages <= offset) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** Turns with a failed request, by position. */
class FailedTurns {
  private readonly turns: readonly Turn[]

  /** While the session is being written, a turn without an answer is not yet a failure. */
  constructor(turns: readonly Turn[], isLive: boolean) {
    this.turns = turns.filter(({ failure }) => failure !== null && (!isLive || failure.noticeKey !== null))
  }

  /** The failed turn that contains the message at this position of the whole session. */
  at(offset: number): Turn | null {
    let low = 0
    let high = this.turns.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.turns[middle]?.firstOffset ?? 0) <= offset) low = middle + 1
      else high = middle
    }
    const turn = this.turns[low - 1]
    return turn !== undefined && offset < turn.firstOffset + turn.messageCount ? turn : null
  }

  /** Adds the reason to the last message of each such turn, once the turn is complete. */
  close(rows: readonly Row[]): void {
    let open: { turn: Turn; row: Row } | null = null
    const close = () => {
      if (open?.row.kind === 'message') open.row.ending = endingOf(open.turn)
    }
    for (const row of rows) {
      const turn = this.at(firstOffsetOf(row))
      if (open !== null && open.turn !== turn) {
        close()
        open = null
      }
      if (row.kind === 'message' && turn !== null) open = { turn, row }
      else if (row.kind === 'unloaded') open = null
    }
    close()
  }
}

function endingOf({ failure, messageKey }: Turn): Ending | null {
  return failure && { text: failure.text, recordKey: failure.noticeKey ?? messageKey }
}

/** Message offset at a scroll height, in px; interpolated within an unloaded page. */
export function offsetAt(rows: readonly Row[], item: VirtualItem | undefined, height: number): number {
  const row = rows[item?.index ?? 0]
  if (row === undefined) return 0
  if (row.kind !== 'unloaded' || item === undefined || item.size === 0) return firstOffsetOf(row)
  const share = Math.min(Math.max((height - item.start) / item.size, 0), 1)
  return row.offset + Math.floor(share * (row.count - 1))
}

/** Offset of the first message that a row shows or folds. */
export function firstOffsetOf(row: Row): number {
  return row.kind === 'fold'
    ? (row.fold.branch?.firstOffset ?? row.fold.messages[0]?.offset ?? 0)
    : row.offset
}

/** Marks messages whose tool calls share a card. */
function joinRuns(rows: readonly Row[]): void {
  let run: ConversationMessageRow[] = []
  for (const row of rows) {
    const previous = run.at(-1)
    if (previous !== undefined && row.kind === 'message' && continuesRun(previous, row)) {
      run.push(row)
      continue
    }
    close(run)
    run = row.kind === 'message' && row.message.toolCalls.length > 0 ? [row] : []
  }
  close(run)
}

function close(run: readonly ConversationMessageRow[]): void {
  if (run.length < 2) return
  const messages = run.map(({ message }) => message)
  for (const [index, row] of run.entries()) {
    row.run = { at: index === 0 ? 'first' : index === run.length - 1 ? 'last' : 'middle', messages }
  }
}

/** Whether there is no text, thought or dividers between the tool calls of the two. */
function continuesRun(previous: ConversationMessageRow, row: ConversationMessageRow): boolean {
  return (
    onlyCalls(row.message) &&
    row.dividers.length === 0 &&
    previous.ending === null &&
    row.isInBranch === previous.isInBranch &&
    row.message.superseded === previous.message.superseded &&
    row.message.agentKey === previous.message.agentKey &&
    // false if a filter hid messages in between
    row.at - previous.at === row.offset - previous.offset
  )
}

function onlyCalls({ type, content, thoughts, toolCalls }: Message): boolean {
  return (
    type === 'gemini' &&
    toolCalls.length > 0 &&
    thoughts.length === 0 &&
    content.every((part) => part.kind === 'text' && part.text.trim() === '')
  )
}

/** Shorter pauses are not shown. */
const PAUSE_MS = 30 * 60_000

/** Finds what is drawn above a message. */
class LeadFinder {
  private readonly source: RowSource
  private readonly turnsByKey: Map<string, Turn>
  private readonly compressionsByKey: Map<string, Compression>
  private readonly resumedKeys: Set<string>
  private ledTurn: Turn | null = null
  /** Messages already seen came first; "new" is marked once, where unseen messages begin. */
  private newness: 'seen' | 'said' | null = null

  constructor(source: RowSource) {
    this.source = source
    this.turnsByKey = new Map(source.turns.map((turn) => [turn.messageKey, turn]))
    this.compressionsByKey = new Map(source.compressions.map((seam) => [seam.messageKey, seam]))
    this.resumedKeys = new Set(source.resumedKeys)
  }

  /** Whether the message is the first after a compression or in another file. */
  opensPart(previous: Message | null, message: Message): boolean {
    return this.compressionsByKey.has(message.key) || isNewPart(previous, message)
  }

  /** null if the message starts no new part. */
  seam(previous: Message | null, message: Message): Divider | null {
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

  /** Pauses between filtered messages are irrelevant. */
  pause(previous: Message | null, message: Message): Divider | null {
    if (this.source.positions !== null || !previous?.timestamp || !message.timestamp) return null
    const isNewDay = dayOf(new Date(previous.timestamp)) < dayOf(new Date(message.timestamp))
    const isLong = Date.parse(message.timestamp) - Date.parse(previous.timestamp) > PAUSE_MS
    if (!isNewDay && !isLong) return null
    const key = `pause-${message.key}`
    return { kind: 'pause', key, from: previous.timestamp, to: message.timestamp, isNewDay }
  }

  /** The first message since the reader's last visit. */
  news(message: Message): Divider | null {
    const { seenUntilMs, positions } = this.source
    if (seenUntilMs === null || positions !== null || message.timestamp === null) return null
    if (Date.parse(message.timestamp) <= seenUntilMs) this.newness ??= 'seen'
    else if (this.newness === 'seen') {
      this.newness = 'said'
      return { kind: 'new', key: `new-${message.key}` }
    }
    return null
  }

  resumed(message: Message): Divider | null {
    return this.resumedKeys.has(message.key) ? { kind: 'resumed', key: `resumed-${message.key}` } : null
  }

  turn(message: Message, offset: number): Divider | null {
    const turn = this.source.positions === null ? this.turnOf(message) : this.newTurnAt(offset)
    return turn && { kind: 'turn', key: `turn-${message.key}`, turn }
  }

  /** Messages before the first prompt (turn 0) have no header. */
  private turnOf(message: Message): Turn | null {
    const turn = this.turnsByKey.get(message.key)
    return turn === undefined || turn.number === 0 ? null : turn
  }

  /** A filter may hide the prompt: the first visible message of each turn shows its header. */
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
