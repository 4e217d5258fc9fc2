import { SCHEMA_VERSION } from '@gemini-dash/api'
import type { ExportHead, Writer } from './writer.ts'

/** The model as `show --json` prints it. */
export const jsonWriter: Writer = {
  head: (of) => `${JSON.stringify(headOf(of)).slice(0, -1)},"messages":[`,
  message: ({ message }, place) =>
    message === null ? '' : `${place === 0 ? '\n' : ',\n'}${JSON.stringify(message)}`,
  tail: () => '\n]}\n',
}

/** The session in the first line, and a message in each other. */
export const jsonLinesWriter: Writer = {
  head: (of) => `${JSON.stringify(headOf(of))}\n`,
  message: ({ message }) => (message === null ? '' : `${JSON.stringify(message)}\n`),
  tail: () => '',
}

function headOf({ session, segments }: ExportHead): object {
  return { schemaVersion: SCHEMA_VERSION, session, segments }
}
