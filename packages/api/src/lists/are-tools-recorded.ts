import type { SessionSummary } from 'gemini-sessions'

/** Release date of 0.9.0, the first version that recorded tool calls. */
const FIRST_RECORDED = '2025-10-06'

type Session = Pick<SessionSummary, 'recorded' | 'files' | 'startTime'>

/** false for earlier sessions, whose count of 0 means that calls were not counted. */
export function areToolsRecorded({ recorded, files, startTime }: Session): boolean {
  if (recorded === null || recorded.toolCalls > 0 || startTime === null) return true
  return startTime >= FIRST_RECORDED || files.some(({ format }) => format === 'jsonl')
}
