import type { Part } from '../../../model/part.ts'
import { isRawObject, type RawObject } from '../../../raw/raw-object.ts'

/** The part for `inlineData` (base64) or `fileData` (a reference, never fetched); null for other parts. */
export function toMediaPart(part: RawObject): Part | null {
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
