import type { Warning } from '@gemini-dash/api'

/** @param what the disk did not take @param reason the disk's own words */
export function explainNotKept(what: string, reason: string): Pick<Warning, 'message' | 'advice'> {
  return {
    message: `${what} cannot be kept on disk (${reason}).`,
    advice:
      'Everything is shown all the same, and it is tried again. Free some room on the disk, or name another folder with --cache-dir.',
  }
}
