import { SCHEMA_VERSION } from '@gemini-dash/api'

// Apart from `escape-controls.ts`, which every start reads: the API comes with all of its schemas.

/** An answer as `--json` prints it: the same as the HTTP API. */
export function jsonLine(answer: object): string {
  return `${JSON.stringify({ schemaVersion: SCHEMA_VERSION, ...answer })}\n`
}
