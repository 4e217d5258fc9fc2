// Explains known reasons in words: without the price list.

export type { WhyPart } from './why/explain-why.ts'
export { explainWhy, readReasons, shownAmounts } from './why/explain-why.ts'
export type { SessionReasons } from './why/facts.ts'
