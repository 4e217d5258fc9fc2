import type { FailureFate, OpenCommand, Verdict, VerdictKind } from 'gemini-sessions'
import { formatPlural, formatShortDuration } from './figures.ts'

/** How a session ended, in a word or two, if there is no room for the sentence. null: nothing to show. */
export const VERDICT_WORDS: Readonly<Record<VerdictKind, string | null>> = {
  damaged: 'Damaged file',
  empty: null,
  none: null,
  running: 'Running',
  apiError: 'API error',
  noReply: 'No reply',
  declined: 'Stopped',
  stopped: 'Stopped',
  midAnswer: 'Stopped',
  stillFailing: 'Still failing',
  neverRerun: 'Never rerun',
  finished: 'Finished',
}

/** The three fates of a failed call, for display. */
export const FATE_WORDS: Readonly<Record<FailureFate, string>> = {
  laterSucceeded: 'later succeeded',
  stillFailing: 'still failing',
  neverRerun: 'never rerun',
}

/** Formats a time of day: `11:14`, with seconds `11:14:04`. */
type WriteClock = (iso: string, precision: 'minutes' | 'seconds') => string

/** A verdict with its times. */
export interface VerdictParts {
  /** The main point: `Still failing: npm run build (exit 2).` */
  opening: string
  /** `Worked at 11:14:04, failed at 11:14:46, 3 edits in between`; '' if there is nothing to add. */
  rest: string
}

/** The sentence about how a session ended, with times formatted for the reader. `nowMs`: to compute how long it has been running. */
export function verdictParts(verdict: Verdict, writeClock: WriteClock, nowMs?: number): VerdictParts {
  const { kind, text, open } = verdict
  if (kind === 'running') return { opening: text + runningSince(verdict, nowMs), rest: '' }
  const isOpen = open !== null && kind === open.fate
  // the detail follows the first sentence
  const [, first = text, second = ''] =
    /^(Finished\.|.* never rerun\.|Damaged file: .*?\.) (.+)$/s.exec(text) ?? []
  const times = isOpen ? timesOf(open, writeClock) : open === null ? '' : `${open.text}${afterwards(open)}`
  const rest = [second, times].filter((part) => part !== '').join(isOpen ? ' ' : '. ')
  return { opening: rest === '' || first.endsWith('.') ? first : `${first}.`, rest }
}

function runningSince({ waits }: Verdict, nowMs: number | undefined): string {
  const isBusy = waits?.state === 'asked' || waits?.state === 'calling'
  if (!isBusy || waits.since === null || nowMs === undefined) return ''
  return `, ${formatShortDuration(Math.max(nowMs - Date.parse(waits.since), 0))}`
}

function timesOf(open: OpenCommand, writeClock: WriteClock): string {
  const { fate, worked, failed, last, edits } = open
  // compared runs may be seconds apart
  const precision = fate === 'neverRerun' ? 'minutes' : 'seconds'
  const at = ({ timestamp }: OpenCommand['last']) =>
    timestamp === null ? '' : ` at ${writeClock(timestamp, precision)}`
  if (fate === 'neverRerun') return `${at(last).trim()}${afterwards(open)}`.replace(/^; /, '')
  if (worked === null)
    return `Failed${at(failed)} and${at(last)}, never worked in this session${afterwards(open)}`
  const count = edits?.count ?? 0
  const between = count === 0 ? 'no edits in between' : `${formatPlural(count, 'edit')} in between`
  return `Worked${at(worked)}, failed${at(failed)}, ${between}${afterwards(open)}`
}

function afterwards({ passedLater }: OpenCommand): string {
  return passedLater === null ? '' : `; \`${passedLater}\` passed later`
}
