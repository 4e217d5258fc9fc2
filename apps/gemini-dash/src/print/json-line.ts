import { SCHEMA_VERSION } from '@gemini-dash/api'

// Separate from `escape-controls.ts`, which every start loads: this one imports the API with all of its schemas.

/** An answer as `--json` prints it: the same as the HTTP API. */
export function jsonLine(answer: object): string {
  return `${JSON.stringify({ schemaVersion: SCHEMA_VERSION, ...answer })}\n`
}
