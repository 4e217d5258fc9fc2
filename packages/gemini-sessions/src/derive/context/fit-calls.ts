import type { ContextCall } from '../../model/insights/context-xray.ts'

/** Growth below this tells more of the overhead of a message than of its length. */
const MIN_GROWTH_TOKENS = 200
const MIN_SAMPLES = 3
/** Beyond these, something else grew, and the calls tell nothing of lengths: a rule of thumb is not that wrong. */
const MIN_FACTOR = 0.5
const MAX_FACTOR = 2

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
  estimated: readonly number[]
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

function inTokens(lengths: readonly number[], factor: number, blockCount: number): number[] {
  const tokens: number[] = []
  for (let block = 0; block < blockCount; block++) tokens.push(Math.floor((lengths[block] ?? 0) * factor))
  return tokens
}

function biggestGrowth(
  tokens: readonly number[],
  before: readonly number[] | undefined,
): ContextCall['grew'] {
  if (before === undefined) return null
  let grew: ContextCall['grew'] = null
  for (let block = 0; block < tokens.length; block++) {
    const more = (tokens[block] ?? 0) - (before[block] ?? 0)
    if (more > (grew?.tokens ?? 0)) grew = { block, tokens: more }
  }
  return grew
}

function sum(numbers: readonly number[]): number {
  let total = 0
  for (const each of numbers) total += each
  return total
}

/**
 * How many recorded tokens an estimated one is, in this session: the median over calls that follow on each other, of what
 * the recorded input grew by against what the estimate grew by. 1 where too few calls tell.
 */
function measureFactor(calls: readonly EstimatedCall[]): number {
  const last = new Map<string, { input: number; known: number }>()
  const ratios: number[] = []
  for (const { context, superseded, input, estimated } of calls) {
    if (superseded !== null && superseded !== 'compacted') continue
    const known = sum(estimated)
    const before = last.get(context)
    last.set(context, { input, known })
    if (before === undefined || known - before.known < MIN_GROWTH_TOKENS || input <= before.input) continue
    const ratio = (input - before.input) / (known - before.known)
    if (ratio >= MIN_FACTOR && ratio <= MAX_FACTOR) ratios.push(ratio)
  }
  if (ratios.length < MIN_SAMPLES) return 1
  return ratios.sort((one, other) => one - other)[Math.floor(ratios.length / 2)] ?? 1
}
