import type { KeepStatus } from '@gemini-dash/api'
import { formatCount, formatPlural, formatSize } from '../figures/format.ts'

type Told = Pick<KeepStatus, 'sessions' | 'rawBytes' | 'storedBytes' | 'goneBytes' | 'running'>

/** What is stored and where, and how it ends again: two lines, said before anything is kept. */
export function keepLines(folder: string): [string, string] {
  return [
    `Every version of every session’s files is kept in ${folder}, compressed; only you can open it. Nothing that Gemini CLI owns is touched.`,
    'To take it along, copy that folder’s parent. Stopping keeps what is there; erasing is asked for twice. Both are on the Health page and under Settings.',
  ]
}

/** `39 sessions, 19.2 MB stored as 6.1 MB` */
export function describeKept({ sessions, rawBytes, storedBytes, goneBytes }: Told): string {
  return `${formatPlural(sessions, 'session')}, ${formatSize(rawBytes)} stored as ${formatSize(storedBytes - goneBytes)}`
}

/** How far a look is that goes on. */
export function describeLook({ running }: Told): string {
  if (running?.waiting) return 'Another gemini-dash is keeping just now; this one goes on when it has ended.'
  if (running === null || running.total === 0) return 'Looking for what has changed…'
  return `Keeping ${formatCount(running.done)} of ${formatPlural(running.total, 'changed file')}…`
}
