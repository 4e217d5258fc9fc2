import type { SideBranch } from '@gemini-dash/api'
import type { Message } from 'gemini-sessions'
import { isTakenBack } from '../../../lib/session/is-taken-back.ts'
import { BranchFinder } from './branch-finder.ts'
import { FailedTurns } from './failed-turns.ts'
import { LeadFinder } from './lead-finder.ts'
import type { Fold, FoldCause, FoldedMessage, Lead, Row, RowSource } from './row.ts'

/** What the conversation draws, top to bottom, from the pages that are loaded. */
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
  private readonly leads: LeadFinder
  private readonly drawnKeys: Set<string>
  private readonly branches: BranchFinder
  private readonly failedTurns: FailedTurns
  /** Branches whose header stands already. */
  private readonly headed = new Set<SideBranch>()
  private lead: Lead[] = []
  private openFold: { fold: Fold; lead: Lead[] } | null = null
  private previous: Message | null = null
  /** An empty notice, until it is known whether a seam says the same. */
  private heldNotice: FoldedMessage | null = null
  private lastOffset = 0
  private readonly source: RowSource

  constructor(source: RowSource) {
    this.source = source
    this.leads = new LeadFinder(source)
    this.drawnKeys = new Set(source.drawnKeys)
    this.branches = new BranchFinder(source)
    this.failedTurns = new FailedTurns(source.turns, source.isLive)
  }

  /** Of what is not loaded, a closed branch is drawn all the same: its one line is known. */
  addUnloaded(at: number, count: number): void {
    const end = at + count
    let from = at
    for (const branch of this.branches.between(at, end)) {
      if (branch.firstOffset > from) this.addPlaceholder(from, branch.firstOffset)
      const branchEnd = Math.min(branch.firstOffset + branch.messages, end)
      if (this.openFold?.fold.branch !== branch) {
        this.drawHeldNotice()
        this.closeFold()
        this.openFold = { fold: this.toFold(branch.cause, branch, from), lead: this.takeLead() }
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
    this.lead = []
    const offset = this.source.positions === null ? at : this.lastOffset
    const count = end - at
    const lines = this.source.linesOf(at, count)
    this.rows.push({ kind: 'unloaded', key: `unloaded-${at}`, offset, at, count, lines })
  }

  addMessage(placed: FoldedMessage): void {
    const { message } = placed
    this.lastOffset = placed.offset
    // pages fetched at different moments of a growing session can overlap by a message
    if (this.seenKeys.has(message.key)) return
    this.seenKeys.add(message.key)
    if (this.leads.opensPart(this.previous, message)) this.heldNotice = null
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
    return this.rows
  }

  private drawHeldNotice(): void {
    const held = this.heldNotice
    this.heldNotice = null
    if (held !== null) this.place(held)
  }

  /** A notice that a rewrite dropped is drawn in its place; so is all that a buried session shows. */
  private foldCause({ message, offset }: FoldedMessage): FoldCause | null {
    const { superseded, agentKey } = message
    if (superseded !== null && !this.drawnKeys.has(message.key) && !this.isDropped(message, offset))
      return superseded === 'replaced' && isNotice(message) ? null : superseded
    // what a filter left is not hidden again
    return agentKey !== null && this.source.positions === null ? 'agent' : null
  }

  /** The CLI took it out because its request failed: no person did, so it is read like the rest. */
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
    const seam = this.leads.seam(this.previous, message)
    if (seam !== null) this.closeFold()
    this.addLead(seam)
    // inside a fold the pauses of what was taken back are of no interest
    if (this.openFold === null) this.addLead(this.leads.pause(this.previous, message))
    if (this.openFold === null) this.addLead(this.leads.news(message))
    this.addLead(this.leads.resumed(message))
  }

  private addLead(lead: Lead | null): void {
    if (lead !== null) this.lead.push(lead)
  }

  private addLive({ message, offset, at }: FoldedMessage, isInBranch = false): void {
    this.addLead(this.leads.turn(message, offset))
    this.rows.push({
      kind: 'message',
      key: message.key,
      lead: this.takeLead(),
      message,
      offset,
      at,
      isInBranch,
      isLastOfTurn: false,
      isTakenBack: isTakenBack(message.superseded) && !this.isDropped(message, offset),
      ending: null,
    })
  }

  private addToFold(placed: FoldedMessage, cause: FoldCause): void {
    this.openFold ??= {
      fold: this.toFold(cause, cause === 'agent' ? null : this.branches.at(placed.offset), placed.at),
      lead: this.takeLead(),
    }
    this.openFold.fold.messages.push(placed)
  }

  private toFold(cause: FoldCause, branch: SideBranch | null, at: number): Fold {
    const start = branch !== null && this.source.positions === null ? branch.firstOffset : at
    return { cause, branch, at: start, messages: [], isOpen: false }
  }

  private closeFold(): void {
    if (this.openFold === null) return
    const { fold, lead } = this.openFold
    this.openFold = null
    const { branch, messages, cause } = fold
    const drawn = messages.filter((entry) => isDrawn(entry.message))
    const keys = messages.map((entry) => entry.message.key)
    const firstKey = branch?.firstKey ?? keys[0]
    // a lone result of a tool has nothing to show of its own
    if (firstKey === undefined || (branch === null && drawn.length === 0)) return
    fold.isOpen = branch === null ? this.source.isFoldOpen(keys, cause) : this.branches.isOpen(branch)
    if (branch === null || !this.headed.has(branch))
      this.rows.push({ kind: 'fold', key: `fold-${firstKey}`, lead, fold })
    if (branch !== null) this.headed.add(branch)
    if (fold.isOpen) for (const placed of drawn) this.addLive(placed, cause !== 'agent')
  }

  private takeLead(): Lead[] {
    const lead = this.lead
    this.lead = []
    return lead
  }
}

function continuesSpine(next: Row | undefined): boolean {
  return next?.kind === 'message' && next.lead.length === 0
}

/** A turn that only carries tool results is drawn with the calls that it answers. */
function isDrawn(message: Message): boolean {
  return (
    message.origin !== 'tool-result' ||
    message.content.some((part) => part.kind !== 'text' || part.text.trim() !== '')
  )
}

/** `/compress` up to 0.24 ends a file with an empty info; the seam that follows says what it means. */
function isEmptyNotice(message: Message): boolean {
  return (
    message.type === 'info' &&
    message.content.every((part) => part.kind === 'text' && part.text.trim() === '')
  )
}

function isNotice(message: Message): boolean {
  return message.type === 'info' || message.type === 'warning' || message.type === 'error'
}
