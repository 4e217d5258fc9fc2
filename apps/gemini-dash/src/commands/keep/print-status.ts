import { dirname } from 'node:path'
import type { KeepStatus } from '@gemini-dash/api'
import { formatColumnTime, formatCount, formatPlural, formatSize } from '@gemini-dash/api/figures'

/** Damaged files named one by one; `--json` has them all. */
const MOST_NAMED = 20

/** What was begun, where it goes, how to take it along and how to stop: two lines, and what came of the first look. */
export function explainKeeping(status: KeepStatus): string[] {
  const folder = status.folder ?? ''
  return [
    `From now on every version of every session's files is kept in ${folder}, which only you can open: at each start, while the dashboard runs, and by "gemini-dash keep now". Nothing that Gemini CLI owns is touched.`,
    `To take it along, copy ${dirname(folder)} ("gemini-dash keep status --json" says what it holds); to stop, "gemini-dash keep off" keeps what is there, and with --erase erases it.`,
    `${sizeLine(status)}.`,
  ]
}

export function printStatus(status: KeepStatus): string[] {
  const { enabled, sessions, onlyHere, lastRun, limits, problem, folder, damagedFiles, damaged, homes } =
    status
  const kept = homes.filter((home) => home.kept)
  return [
    enabled
      ? 'Keeping is on.'
      : kept.length > 0
        ? `Keeping is on for ${kept.map(({ path }) => path).join(', ')} alone; "gemini-dash keep on" turns it on for all.`
        : `Keeping is off${sessions > 0 ? '; what was kept is still there' : ': "gemini-dash keep on" turns it on'}.`,
    ...(sessions > 0 ? [`${sizeLine(status)}.`] : []),
    ...(onlyHere > 0 ? [`${sessionCount(onlyHere)} or a part of it is nowhere else.`] : []),
    `Last look: ${lastRun === null ? 'none yet' : formatColumnTime(lastRun)}.`,
    `Limits: ${limits.maxBytes === null ? 'any size' : formatSize(limits.maxBytes)}, ${limits.maxAgeDays === null ? 'any age' : `${formatCount(limits.maxAgeDays)} days`}.`,
    ...(folder === null ? [] : [`Where: ${folder}`]),
    ...(damaged > 0
      ? [
          `Damaged: ${formatCount(damaged)}. What is still in a home is stored again by "gemini-dash keep now".`,
          ...damagedFiles.slice(0, MOST_NAMED).map(({ home, path }) => `  ${home}/${path}`),
        ]
      : []),
    ...(problem === null ? [] : [problem]),
  ]
}

function sizeLine({ sessions, files, rawBytes, storedBytes, goneBytes }: KeepStatus): string {
  const kept = `${sessionCount(sessions)}, ${formatCount(files)} files: ${formatSize(rawBytes)} in ${formatSize(storedBytes - goneBytes)}`
  return goneBytes === 0
    ? kept
    : `${kept}, and ${formatSize(goneBytes)} of what was deleted, laid out to be read`
}

export function sessionCount(count: number): string {
  return formatPlural(count, 'session')
}
