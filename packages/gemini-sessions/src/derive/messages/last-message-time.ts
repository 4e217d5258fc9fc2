import type { Message } from '../../model/message.ts'
import { latestTime } from './latest-time.ts'

export function lastMessageTime(messages: readonly Message[]): string | null {
  return latestTime(messages.map((message) => message.timestamp))
}
