export type { Change, ChangeKind, LeftOut, RedactOptions } from './changes.ts'
export { Known } from './known.ts'
export { type RedactedText, redactText } from './redact-text.ts'
export { learnValue, type RedactedValue, redactValue } from './redact-value.ts'
