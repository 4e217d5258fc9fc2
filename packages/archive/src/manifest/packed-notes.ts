import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { z } from 'zod'
import { type Note, noteSchema } from './note.ts'

/**
 * What notes have in common, so that one about a log that grew by a line is not longer than the line. It is a part of the
 * format: notes point into it from its end. So words may be put before it, and nothing else of it may ever change.
 */
const COMMON_WORDS = Buffer.from(
  '[{"kind":"added","file":1,"at":"2026-11-2T1","sizeBytes":1,"mtimeNs":"17","text":"{\\"id\\":\\"' +
    '\\",\\"timestamp\\":\\"2026-","type\\":\\"gemini\\",\\"content\\":\\"","type\\":\\"user\\",\\"content\\":[{\\"text\\":\\"' +
    '{\\"$set\\":{\\"lastUpdated\\":\\"2026-\\"}}\\n","isAssumed":true},{"kind":"looked","at":"2026-' +
    '[{"kind":"file","file":1,"path":"tmp/","label":{"kind":"session","sessionId":null}},{"kind":"version","file":1,"at":"' +
    '{"kind":"gone","lastSeen":"{"kind":"same"{"kind":"looked","at":"000Z"}][{"kind":"grown","file":1,"at":"20' +
    '","sizeBytes":1,"stamp":{"sizeBytes":1,"mtimeNs":"17","ctimeNs":"17","inode":"1"},"recipe":"AA==","isAssumed":true}]',
)
/** Far more than any run notes at once. */
const MAX_NOTES_BYTES = 256 * 1024 * 1024

export function packNotes(notes: readonly Note[]): { rawBytes: number; stored: Buffer } {
  const json = Buffer.from(JSON.stringify(notes))
  return { rawBytes: json.length, stored: deflateRawSync(json, { dictionary: COMMON_WORDS }) }
}

/** Those of a kind that came later are passed over. */
export function unpackNotes(stored: Uint8Array): Note[] {
  const json = inflateRawSync(stored, { dictionary: COMMON_WORDS, maxOutputLength: MAX_NOTES_BYTES })
  return z
    .array(z.unknown())
    .parse(JSON.parse(json.toString()))
    .flatMap((written) => noteSchema.safeParse(written).data ?? [])
}
