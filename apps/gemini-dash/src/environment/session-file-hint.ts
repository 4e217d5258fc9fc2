import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
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
  return `${name} is ${what} of Gemini CLI. To see it: gemini-dash open ${path}`
}

/** Whether it is a file, or a folder with session files right in it. */
export function isSessionPlace(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true || isSessionFolder(path)
}

/** Whether session files are right in it, as in `chats` of a project, and no projects. */
export function isSessionFolder(path: string): boolean {
  try {
    const entries = readdirSync(path, { withFileTypes: true })
    const isOfProjects = entries.some(
      (entry) => entry.isDirectory() && existsSync(join(path, entry.name, 'chats')),
    )
    const names = entries.map(({ name }) => name).filter((name) => SESSION_NAME.test(name))
    return !isOfProjects && names.slice(0, MOST_FILES).some((name) => hintForOwn(join(path, name)) !== null)
  } catch {
    return false
  }
}

const SESSION_NAME = /^session-.*\.jsonl?$/i

function readHead(path: string): Uint8Array {
  const descriptor = openSync(path, 'r')
  try {
    const bytes = new Uint8Array(HEAD_BYTES)
    return bytes.subarray(0, readSync(descriptor, bytes, 0, HEAD_BYTES, 0))
  } finally {
    closeSync(descriptor)
  }
}
