import type { Part, ToolOutput } from '../../model/message.ts'
import { isRawObject, KNOWN_NAMES, type RawObject } from '../../raw.ts'
import { guardDepth, type Problems } from '../problems.ts'

/** Lists nest one level in practice; deeper ones are damaged or foreign. */
const MAX_LIST_DEPTH = 8

/** The text of a stored `content`, concatenated; leaves out thoughts and everything else. */
export function plainText(content: unknown): string {
  if (typeof content === 'string') return content
  const texts = flattenContent(content).map((part) =>
    isRawObject(part) && part.thought !== true && typeof part.text === 'string' ? part.text : '',
  )
  return texts.join('')
}

/** A `PartListUnion` (string, part, or list of both) as a list of parts; strings become text parts. */
export function flattenContent(content: unknown): unknown[] {
  const parts: unknown[] = []
  addParts(content, 0, parts)
  return parts
}

function addParts(content: unknown, depth: number, parts: unknown[]): void {
  if (typeof content === 'string') {
    if (content !== '') parts.push({ text: content })
  } else if (Array.isArray(content) && depth < MAX_LIST_DEPTH) {
    for (const part of content) addParts(part, depth + 1, parts)
  } else if (content !== undefined && content !== null) parts.push(content)
}

/** The output sent to the model, from the `response` of a functionResponse. */
export function toToolOutput(response: unknown, at: string, problems: Problems): ToolOutput {
  if (response === undefined || response === null) return { kind: 'empty' }
  if (typeof response === 'string') return toText(response)
  if (isRawObject(response)) {
    const names = Object.keys(response)
    if (names.length === 0) return { kind: 'empty' }
    const { output, error } = response
    // Both: a shell command that was cancelled after some output.
    if (typeof error === 'string') {
      return { kind: 'error', text: typeof output === 'string' ? `${error}\n${output}` : error }
    }
    if (typeof output === 'string' && names.length === 1) return toText(output)
  }
  return { kind: 'unknown', json: guardDepth(response, at, problems) }
}

function toText(text: string): ToolOutput {
  return text === '' ? { kind: 'empty' } : { kind: 'text', text }
}

/** The part for `inlineData` (base64) or `fileData` (a reference, never fetched); null for other parts. */
function toMediaPart(part: RawObject): Part | null {
  if (isRawObject(part.inlineData)) {
    const { data } = part.inlineData
    const base64 = typeof data === 'string' ? data : null
    const mimeType = toMimeType(part.inlineData.mimeType)
    const sizeBytes = base64 === null ? null : toSizeBytes(base64)
    return { kind: toKind(mimeType), mimeType, data: base64, uri: null, sizeBytes, href: null }
  }
  if (isRawObject(part.fileData)) {
    const { fileUri } = part.fileData
    const mimeType = toMimeType(part.fileData.mimeType)
    const uri = typeof fileUri === 'string' ? fileUri : null
    return { kind: toKind(mimeType), mimeType, data: null, uri, sizeBytes: null, href: null }
  }
  return null
}

function toMimeType(value: unknown): string {
  return typeof value === 'string' && value !== '' ? value : 'application/octet-stream'
}

function toKind(mimeType: string): 'image' | 'audio' | 'file' {
  if (mimeType.startsWith('image/')) return 'image'
  return mimeType.startsWith('audio/') ? 'audio' : 'file'
}

export function toSizeBytes(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0
  return Math.max(0, Math.floor((base64.length * 3) / 4) - padding)
}

/** Fields that are not content, or that have their own fields in the model. */
const SIDE_FIELDS = new Set(['functionCall', 'functionResponse', 'videoMetadata', 'thoughtSignature'])

/** Stored parts as parts of the model; leaves out thoughts, calls and results. */
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
    return {
      kind: 'code',
      language: toPartText(language),
      code: toPartText(code) ?? '',
      outcome: null,
      output: null,
    }
  }
  if (isRawObject(part.codeExecutionResult)) return addCodeResult(part.codeExecutionResult, before)
  const names = Object.keys(part)
  if (names.length > 0 && names.every((name) => SIDE_FIELDS.has(name))) return null
  if (names.length === 0) problems.addDrift('part', '{}', at)
  return toUnknown(part, at, problems)
}

/** A result belongs to the code directly before it. */
function addCodeResult(result: RawObject, before: readonly Part[]): Part | null {
  const outcome = toPartText(result.outcome)
  const output = toPartText(result.output)
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

function toPartText(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
