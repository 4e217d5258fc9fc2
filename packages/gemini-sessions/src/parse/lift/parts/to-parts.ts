import type { Part } from '../../../model/part.ts'
import { KNOWN_NAMES } from '../../../raw/known-names.ts'
import { isRawObject, type RawObject } from '../../../raw/raw-object.ts'
import { guardDepth } from '../../problems/guard-depth.ts'
import type { Problems } from '../../problems/problems.ts'
import { toMediaPart } from './to-media-part.ts'

/** Fields that are no content of their own, or that have fields of their own in the model. */
const SIDE_FIELDS = new Set(['functionCall', 'functionResponse', 'videoMetadata', 'thoughtSignature'])

/** Stored parts as parts of the model; thoughts, calls and results are left out. */
export function toParts(stored: readonly unknown[], at: string, problems: Problems): Part[] {
  const parts: Part[] = []
  for (const part of stored) {
    const lifted = isRawObject(part) ? toPart(part, parts, at, problems) : toUnknown(part, at, problems)
    if (lifted) parts.push(lifted)
  }
  return parts
}

function toPart(part: RawObject, before: readonly Part[], at: string, problems: Problems): Part | null {
  problems.addUnknownNames('part', part, KNOWN_NAMES.part, at)
  if (typeof part.text === 'string') {
    return part.thought === true || part.text === '' ? null : { kind: 'text', text: part.text }
  }
  const media = toMediaPart(part)
  if (media) return media
  if (isRawObject(part.executableCode)) {
    const { language, code } = part.executableCode
    return { kind: 'code', language: toText(language), code: toText(code) ?? '', outcome: null, output: null }
  }
  if (isRawObject(part.codeExecutionResult)) return addCodeResult(part.codeExecutionResult, before)
  const names = Object.keys(part)
  if (names.length > 0 && names.every((name) => SIDE_FIELDS.has(name))) return null
  if (names.length === 0) problems.addDrift('part', '{}', at)
  return toUnknown(part, at, problems)
}

/** A result belongs to the code just before it. */
function addCodeResult(result: RawObject, before: readonly Part[]): Part | null {
  const outcome = toText(result.outcome)
  const output = toText(result.output)
  const code = before.at(-1)
  if (code?.kind !== 'code' || code.output !== null) {
    return { kind: 'code', language: null, code: '', outcome, output }
  }
  Object.assign(code, { outcome, output })
  return null
}

function toUnknown(json: unknown, at: string, problems: Problems): Part {
  return { kind: 'unknown', json: guardDepth(json, at, problems) }
}

function toText(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
