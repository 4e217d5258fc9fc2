import type { ContextCall } from '../../model/insights/context-xray.ts'
import { measureFactor } from './measure-factor.ts'

/** Positions in the list of blocks: both are made before any other. */
export const BASELINE = 0
const UNRECORDED = 1

/** A call with what it was estimated to send. */
export interface EstimatedCall
  extends Omit<ContextCall, 'tokens' | 'scale' | 'grew' | 'resent' | 'before' | 'isAgent'> {
  /** Calls of one context follow on each other: same model, no compression between them. */
  context: string
  /** Sub-agents have instructions of their own. */
  agentKey: string | null
  /** Tokens by block, by length alone. */
  estimated: ReadonlyMap<number, number>
}

/**
 * Holds estimates to what was recorded. Lengths become tokens by a factor measured on the session itself; what a
 * model's first call has beyond its messages is its baseline; what a later one has beyond that is `unrecorded`.
 */
export function fitCalls(
  estimated: readonly EstimatedCall[],
  blockCount: number,
): { calls: ContextCall[]; factor: number } {
  const factor = measureFactor(estimated)
  const baselines = new Map<string | null, number>()
  const contexts = new Map<string, Before>()
  const calls = estimated.map((call, index) => {
    const { context, agentKey, estimated: lengths, ...rest } = call
    const whole = inTokens(lengths, factor, blockCount)
    const baseline = baselines.get(agentKey) ?? Math.max(0, call.input - sum(whole))
    baselines.set(agentKey, baseline)
    const scale = scaleOf(call.input, baseline, sum(whole))
    const tokens = scale === 1 ? whole : inTokens(lengths, factor * scale, blockCount)
    const left = call.input - sum(tokens)
    tokens[BASELINE] = Math.min(baseline, left)
    tokens[UNRECORDED] = left - tokens[BASELINE]
    const before = previousOf(contexts.get(context), call)
    contexts.set(context, follow(contexts.get(context), { ...call, index, tokens }))
    return {
      ...rest,
      isAgent: agentKey !== null,
      before: before?.index ?? null,
      resent: Math.min(call.input, before?.input ?? 0),
      tokens,
      scale,
      grew: biggestGrowth(tokens, before?.tokens),
    }
  })
  return { calls, factor }
}

type Placed = Pick<ContextCall, 'input' | 'superseded' | 'tokens'> & { index: number }

/** The last call of a context, and the last that was not taken back. */
interface Before {
  last: Placed
  lastStanding: Placed | undefined
}

/** A call knows nothing of a branch that was taken back before it. */
function previousOf(before: Before | undefined, call: Pick<ContextCall, 'superseded'>): Placed | undefined {
  return isTakenBack(call) ? before?.last : before?.lastStanding
}

function follow(before: Before | undefined, call: Placed): Before {
  return { last: call, lastStanding: isTakenBack(call) ? before?.lastStanding : call }
}

function isTakenBack({ superseded }: Pick<ContextCall, 'superseded'>): boolean {
  return superseded !== null && superseded !== 'compacted'
}

/** Below 1 where more is logged than was sent: outputs that the CLI masked or cut, for the most part. */
function scaleOf(input: number, baseline: number, known: number): number {
  // Less than the baseline alone: other tools or instructions than at first, so that it has to give way as well.
  if (input <= baseline) return input / Math.max(baseline + known, 1)
  return known > input - baseline ? (input - baseline) / known : 1
}

function inTokens(lengths: ReadonlyMap<number, number>, factor: number, blockCount: number): number[] {
  return Array.from({ length: blockCount }, (_, block) => Math.floor((lengths.get(block) ?? 0) * factor))
}

function biggestGrowth(
  tokens: readonly number[],
  before: readonly number[] | undefined,
): ContextCall['grew'] {
  if (before === undefined) return null
  let grew: ContextCall['grew'] = null
  for (const [block, now] of tokens.entries()) {
    const more = now - (before[block] ?? 0)
    if (more > (grew?.tokens ?? 0)) grew = { block, tokens: more }
  }
  return grew
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
