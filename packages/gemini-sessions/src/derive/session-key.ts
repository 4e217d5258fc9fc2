import { shortKey } from './short-key.ts'

/**
 * A session's key (contract rule 9). `birth` is the earliest first-metadata `startTime` of its files exactly as
 * stored, or the file name without extension where no file has one.
 */
export function sessionKey(sessionId: string, birth: string): string {
  return shortKey(`${sessionId}\n${birth}`)
}
