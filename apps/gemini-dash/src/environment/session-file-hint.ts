import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { FILE_KINDS, readSessionHead, recognizeFile } from 'gemini-sessions'

const HEAD_BYTES = 16 * 1024
/** Files of a folder that are looked at. */
const MOST_FILES = 50

/**
 * How a file that somebody sent is read, where a path leads to a session, a saved chat or a folder with some; what it is
 * instead, where it is a file. null: neither.
 */
export function sessionFileHint(path: string): string | null {
  try {
    if (statSync(path).isFile()) return hintForFile(path)
    const names = readdirSync(path).filter((name) => /\.jsonl?$/i.test(name))
    const hints = names.slice(0, MOST_FILES).map((name) => hintForOwn(join(path, name)))
    return hints.find((hint) => hint !== null) ?? null
  } catch {
    return null
  }
}

function hintForFile(path: string): string {
  const { reason } = FILE_KINDS[recognizeFile(readHead(path))]
  return hintForOwn(path) ?? `${basename(path)} is no session of Gemini CLI: ${reason}`
}

/** null: it is nothing that is read here. */
function hintForOwn(path: string): string | null {
  const head = readHead(path)
  const name = basename(path)
  const isSaved = recognizeFile(head) === 'saved-chat'
  if (!isSaved && readSessionHead(head).sessionId === null) return null
  const what = isSaved ? 'a saved chat' : 'a session'
  const place = isSaved ? 'DIR/tmp/sent/checkpoint-sent.json' : `DIR/tmp/sent/chats/${name}`
  return `${name} is ${what} of Gemini CLI. To read it, copy it to ${place} in a new folder DIR, and add --home DIR.`
}

function readHead(path: string): Uint8Array {
  const descriptor = openSync(path, 'r')
  try {
    const bytes = new Uint8Array(HEAD_BYTES)
    return bytes.subarray(0, readSync(descriptor, bytes, 0, HEAD_BYTES, 0))
  } finally {
    closeSync(descriptor)
  }
}
