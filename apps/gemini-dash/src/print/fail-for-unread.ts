import type { Unread } from '@gemini-dash/api'
import { explainUnread } from '../store/sync/sync-warnings.ts'
import { CliError } from '../terminal/cli-error.ts'

/** Call after the answer is printed: exits with 3 if files that it could be based on were not read. */
export function failForUnread({ unread }: { unread?: Unread | undefined }): void {
  if (unread === undefined) return
  const { message, advice } = explainUnread(unread)
  throw new CliError(3, message, advice)
}
