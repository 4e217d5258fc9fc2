import { sha256 } from './sha256.ts'

/** SHA-256 as 64 hex digits: how Gemini CLI names a project folder (up to 0.28) and fills `projectHash` (all versions). */
export function sha256Hex(text: string): string {
  return Array.from(sha256(text), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
