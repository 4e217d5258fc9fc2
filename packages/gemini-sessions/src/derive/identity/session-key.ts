import { shortKey } from './short-key.ts'

/**
 * A session's key: 12 URL-safe characters of a SHA-256. It does not depend on project, home or the order of files.
 * `birth` is the earliest first-metadata `startTime` of its files exactly as stored, or the file name without extension
 * where no file has one.
 */
export function sessionKey(sessionId: string, birth: string): string {
  return shortKey(`${sessionId}\n${birth}`)
}
