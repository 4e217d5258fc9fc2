import type { SessionSummary } from 'gemini-sessions'

/** The day of 0.9.0, the first version that recorded the calls of tools. */
const FIRST_RECORDED = '2025-10-06'

type Session = Pick<SessionSummary, 'recorded' | 'files' | 'startTime'>

/** False for sessions from before: their figure of 0 means that nobody counted. */
export function areToolsRecorded({ recorded, files, startTime }: Session): boolean {
  if (recorded === null || recorded.toolCalls > 0 || startTime === null) return true
  return startTime >= FIRST_RECORDED || files.some(({ format }) => format === 'jsonl')
}
