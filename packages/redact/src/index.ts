export type { Change, ChangeKind, LeftOut, RedactOptions } from './change.ts'
export { type RedactedText, redactText } from './redact-text.ts'
export { type RedactedValue, redactValue } from './redact-value.ts'
