import { formatPlural, formatUsd } from './figures.ts'

// Texts around the reasons of a cost, the same on the page and in a terminal.

/** If there is no advice. */
export const NOTHING_TO_CHANGE = 'Nothing to change.'

/** If no cost is known. */
export const NO_KNOWN_PRICE = 'No price of these requests is known.'

/** What a cost paid for: the kinds of `UsageWhy`. */
export const PAID_FOR = {
  'new-input': 'New input',
  'cached-input': 'Cached input',
  surcharge: 'Surcharge for long inputs',
  answers: 'Answers',
  thinking: 'Thinking',
} as const

/** What a session's total covers, if not only the session itself; '' if it does. */
export function whyScope(why: {
  total: number | null
  own: number | null
  unpricedRequests: number
}): string {
  const { total, own, unpricedRequests } = why
  const notes = [
    own === total ? [] : [`With sub-agents; the session alone ${formatUsd(own ?? 0)}.`],
    unpricedRequests === 0
      ? []
      : [`${formatPlural(unpricedRequests, 'request')} of unknown price not included.`],
  ]
  return notes.flat().join(' ')
}
