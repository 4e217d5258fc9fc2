import { formatCount, formatFineUsd } from '../../lib/figures/format.ts'
import { SUPERSEDED_WORD } from '../../lib/session/superseded-word.ts'
import type { Step } from './geometry/chart-geometry.ts'

/** A step in words, for screen readers. */
export function callSentence(step: Step): string {
  const { usage, usd, turn } = step.call
  const name = stepName(step)
  if (usage === null) return `${name}, turn ${turn}: tokens not recorded`
  const figures = [
    `${formatCount(usage.input)} input, of it ${formatCount(usage.cached)} cached`,
    `${formatCount(usage.output)} output`,
    usage.thoughts > 0 && `${formatCount(usage.thoughts)} thoughts`,
    usage.tool > 0 && `${formatCount(usage.tool)} tool`,
    usd !== null && formatFineUsd(usd),
    step.hasFailure && 'a tool failed',
    step.isSuperseded && step.call.superseded !== null && SUPERSEDED_WORD[step.call.superseded],
  ].filter(Boolean)
  return `${name}, turn ${turn}: ${figures.join(', ')}`
}

/** `Call 25`, or `Largest of calls 121 to 125`. */
export function stepName({ first, last }: { first: number; last: number }): string {
  return first === last ? `Call ${first}` : `Largest of calls ${first} to ${last}`
}
