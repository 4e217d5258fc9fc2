export type { Change, ChangeKind, LeftOut } from './change.ts'
export { Known } from './known.ts'
export { type RedactedText, type RedactOptions, redactText } from './redact-text.ts'
export { learnValue, type RedactedValue, redactValue } from './redact-value.ts'
