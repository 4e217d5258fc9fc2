import type { Unread } from '@gemini-dash/api'
import { explainUnread } from '../store/sync/retries.ts'
import { CliError } from '../terminal/cli-error.ts'

/** After an answer that is printed: ends with 3 if files that it could be made of were not read. */
export function failForUnread({ unread }: { unread?: Unread | undefined }): void {
  if (unread === undefined) return
  const { message, advice } = explainUnread(unread)
  throw new CliError(3, message, advice)
}
