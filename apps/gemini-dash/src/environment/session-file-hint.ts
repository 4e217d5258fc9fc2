import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { FILE_KINDS, type FileKind, readSessionHead, recognizeFile } from 'gemini-sessions'
import { isZip } from '../opened/handed-files.ts'

const HEAD_BYTES = 16 * 1024
/** Number of a folder's files to look at. */
const MOST_FILES = 50

/**
 * How to open a shared file, if a path leads to a session, a saved chat or a folder of them; if it is another file, what it is. null
 * otherwise.
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
  const head = readHead(path)
  if (isZip(head)) return `To open the sessions in it: gemini-dash open ${path}`
  const { reason } = FILE_KINDS[recognizeFile(head)]
  return hintForOwn(path) ?? `${basename(path)} is not a Gemini CLI session: ${reason}`
}

/** null if it is not a file of this program. */
function hintForOwn(path: string): string | null {
  const head = readHead(path)
  const name = basename(path)
  const kind = recognizeFile(head)
  const isSession = !FILE_KINDS[kind].isCertain && readSessionHead(head).sessionId !== null
  const what = isSession ? 'a session of Gemini CLI' : OPENED_KINDS[kind]
  return what === undefined ? null : `${name} is ${what}. To open it: gemini-dash open ${path}`
}

const OPENED_KINDS: Readonly<Partial<Record<FileKind, string>>> = {
  'saved-chat': 'a saved chat of Gemini CLI',
  'gemini-dash-export': 'a session that gemini-dash exported',
}

/** Whether it is a file, the path of one that is missing, or a folder of sessions, saved chats or exports. */
export function isSessionPlace(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return /\.(jsonl?|zip)$/i.test(path)
  return !stats.isDirectory() || isSessionFolder(path) || containsOnlyOwn(path)
}

/** A project may have a shared chat among its own files. */
function containsOnlyOwn(path: string): boolean {
  const names = readdirSync(path, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
  const isOwn = (name: string) => /\.jsonl?$/i.test(name) && hintForOwn(join(path, name)) !== null
  return names.length > 0 && names.slice(0, MOST_FILES).every(isOwn)
}

/** Whether it directly contains session files, like a project's `chats`, and no projects. */
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
