import type { SessionActivity } from '@gemini-dash/api'
import type { SessionSummary } from 'gemini-sessions'

/** What a reader may conclude from the end of a log: in a few words, and why no more can be said. */
export interface ActivityWords {
  words: string
  why: string
}

/** A session that was quiet for longer is history: what it waited for is of no interest any more. */
const QUIET_MS = 60 * 60_000

const WORDS: Record<SessionActivity['state'], ActivityWords | null> = {
  asked: {
    words: 'waiting for the model',
    why: 'The last record is a prompt or the result of a call, and no answer is recorded yet.',
  },
  calling: {
    words: 'a tool runs or waits for your approval',
    why: 'The CLI records a call when it is over: one that runs and one that waits for your approval look the same in the log.',
  },
  answered: {
    words: 'waiting for you',
    why: 'The last record is an answer in words, and no call of a tool follows it.',
  },
  silent: null,
}

/** null where there is nothing to wait for. */
export function describeActivity(
  { live, ended }: Pick<SessionSummary, 'live' | 'ended'>,
  { state, since }: SessionActivity,
  now: Date,
): ActivityWords | null {
  if (ended !== null || since === null) return null
  const isRecent = now.getTime() - Date.parse(since) < QUIET_MS
  return live || isRecent ? WORDS[state] : null
}
