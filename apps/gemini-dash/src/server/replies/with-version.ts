import { SCHEMA_VERSION } from '@gemini-dash/api'

/** Each answer says by which schemas it is made; those that were written before say it through `withWrittenVersion`. */
export function withVersion<Answer extends object>(answer: Answer): Answer & { schemaVersion: number } {
  return { schemaVersion: SCHEMA_VERSION, ...answer }
}

/** The same of the bytes of an object that is not empty. */
export function withWrittenVersion(json: Uint8Array): Buffer {
  return Buffer.concat([VERSION, json.subarray(1)])
}

const VERSION = Buffer.from(`{"schemaVersion":${SCHEMA_VERSION},`)
