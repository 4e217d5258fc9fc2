import { addCost, type Cost, NO_COST, NO_USAGE, type SessionSummary, type TokenUsage } from 'gemini-sessions'

/** Sums of usage and cost, and the conversations behind them. It adds in place: a year has tens of thousands of buckets. */
export class Tally {
  readonly #usage: TokenUsage = { ...NO_USAGE }
  #cost: Cost = NO_COST
  readonly #sessionKeys = new Set<string>()
  #lastKey = ''

  add(owner: SessionSummary, usage: TokenUsage, cost: Cost): void {
    this.addSession(owner)
    addUsageTo(this.#usage, usage)
    this.#cost = addCost(this.#cost, cost)
  }

  /** Sub-agents are part of the session that a person began; where that is gone, of none. */
  addSession({ kind, key }: SessionSummary): void {
    if (kind === 'subagent') return
    // a session's buckets come one after the other
    if (key !== this.#lastKey) this.#sessionKeys.add(key)
    this.#lastKey = key
  }

  figures(): { usage: TokenUsage; cost: Cost; sessions: number } {
    return { ...this.spent(), sessions: this.#sessionKeys.size }
  }

  spent(): { usage: TokenUsage; cost: Cost } {
    return { usage: { ...this.#usage }, cost: this.#cost }
  }
}

/** The tally of a name, made where it is new. */
export function tallyOf(tallies: Map<string, Tally>, name: string): Tally {
  let tally = tallies.get(name)
  if (tally === undefined) {
    tally = new Tally()
    tallies.set(name, tally)
  }
  return tally
}

/** Adds in place: years have tens of thousands of parts, and a new object for each sum costs more than the sum. */
export function addUsageTo(sum: TokenUsage, usage: TokenUsage): void {
  sum.input += usage.input
  sum.output += usage.output
  sum.cached += usage.cached
  sum.thoughts += usage.thoughts
  sum.tool += usage.tool
  sum.total += usage.total
  sum.calls += usage.calls
  sum.callsWithoutTokens += usage.callsWithoutTokens
}
