import type { EstimatedCall } from './fit-calls.ts'

/** Growth below this tells more of the overhead of a message than of its length. */
const MIN_GROWTH_TOKENS = 200
const MIN_SAMPLES = 3
/** Beyond these, something else grew, and the calls tell nothing of lengths: a rule of thumb is not that wrong. */
const MIN_FACTOR = 0.5
const MAX_FACTOR = 2

/**
 * How many recorded tokens an estimated one is, in this session: the median over calls that follow on each other, of what
 * the recorded input grew by against what the estimate grew by. 1 where too few calls tell.
 */
export function measureFactor(calls: readonly EstimatedCall[]): number {
  const last = new Map<string, { input: number; known: number }>()
  const ratios: number[] = []
  for (const { context, superseded, input, estimated } of calls) {
    if (superseded !== null && superseded !== 'compacted') continue
    let known = 0
    for (const tokens of estimated.values()) known += tokens
    const before = last.get(context)
    last.set(context, { input, known })
    if (before === undefined || known - before.known < MIN_GROWTH_TOKENS || input <= before.input) continue
    const ratio = (input - before.input) / (known - before.known)
    if (ratio >= MIN_FACTOR && ratio <= MAX_FACTOR) ratios.push(ratio)
  }
  if (ratios.length < MIN_SAMPLES) return 1
  return ratios.sort((one, other) => one - other)[Math.floor(ratios.length / 2)] ?? 1
}
