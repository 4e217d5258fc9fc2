const ENDINGS: Record<string, [word: string, sentence: string]> = {
  MAX_TURNS: ['Turn limit', 'Ended before its goal, at its limit of turns.'],
  TIMEOUT: ['Timed out', 'Ended before its goal, at its limit of time.'],
  ABORTED: ['Cancelled', 'Cancelled before its goal.'],
  ERROR: ['Failed', 'Ended by an error.'],
  ERROR_NO_COMPLETE_TASK_CALL: ['No report', 'Ended without handing over a report.'],
}

/** How a sub-agent ended short of its goal, by the reason that the CLI recorded; null where it reached it or none is known. */
export function agentEnding(reason: string | null | undefined): { word: string; sentence: string } | null {
  if (reason === null || reason === undefined || reason === '' || reason === 'GOAL') return null
  const known = Object.hasOwn(ENDINGS, reason) ? ENDINGS[reason] : undefined
  const [word, sentence] = known ?? [reason, `Ended before its goal: ${reason}`]
  return { word, sentence }
}
