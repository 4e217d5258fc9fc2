import { sha256 } from './sha256.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/**
 * The first 72 bits of a text's SHA-256 as 12 URL-safe characters (base64url). A leading `-` is written as `_`: a command
 * line would take it for an option.
 */
export function shortKey(text: string): string {
  const digest = sha256(text)
  let key = ''
  for (let offset = 0; offset < 9; offset += 3) {
    const bits = ((digest[offset] ?? 0) << 16) | ((digest[offset + 1] ?? 0) << 8) | (digest[offset + 2] ?? 0)
    for (const shift of [18, 12, 6, 0]) key += ALPHABET[(bits >> shift) & 63]
  }
  return key.replace(/^-/, '_')
}

/**
 * A project's key: from the SHA-256 of its root as it is compared, or from that which the CLI wrote where no root is known;
 * else from its folder's name. The same in every home.
 */
export function projectKey(projectHash: string | null, folderName: string): string {
  return shortKey(projectHash ?? folderName)
}

/**
 * A session's key: 12 URL-safe characters of a SHA-256. It depends on nothing that can still change.
 * `birth` is the earliest first-metadata `startTime` of its files exactly as stored, or the file name without extension
 * where no file has one.
 */
export function sessionKey(sessionId: string, birth: string): string {
  return shortKey(`${sessionId}\n${birth}`)
}

/** The key of a session whose `sessionKey` is that of another conversation. `place`: the path of its file relative to the home. */
export function placeKey(key: string, place: string): string {
  return shortKey(`${key}\n${place}`)
}
