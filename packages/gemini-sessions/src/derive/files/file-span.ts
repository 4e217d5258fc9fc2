import { readFileNameTime } from '../../parse/session-file/read-file-name-time.ts'
import { earliestTime, lastMessageTime, latestTime } from '../messages/message-times.ts'
import type { StitchFile } from './stitch-file.ts'

/** When the conversation in these files began and ended, in epoch milliseconds; NaN if no time is recorded. */
export interface FileSpan {
  startMs: number
  endMs: number
}

export function fileSpan(files: readonly StitchFile[]): FileSpan {
  const start = earliestTime(files.map(startOf))
  const end = latestTime([start, ...files.map(({ parsed }) => lastMessageTime(parsed.messages))])
  return { startMs: Date.parse(start ?? ''), endMs: Date.parse(end ?? '') }
}

/** `startTime` as recorded, else the first message's time, else the time in the file's name. */
function startOf({ parsed }: StitchFile): string | null {
  const { header, messages, path } = parsed
  return (
    header.startTime ?? earliestTime(messages.map((message) => message.timestamp)) ?? readFileNameTime(path)
  )
}
