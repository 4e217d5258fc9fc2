import { sha256 } from './sha256.ts'

/** SHA-256 of a text as 64 hex digits. */
export type HashText = (text: string) => string

/** How Gemini CLI names a project folder (up to 0.28) and fills `projectHash` (all versions). Runs in browsers too. */
export const sha256Hex: HashText = (text) =>
  Array.from(sha256(text), (byte) => byte.toString(16).padStart(2, '0')).join('')
