import { z } from 'zod'
import type { ParseIssue } from '../model/issue.ts'
import type { Session } from '../model/message.ts'
import type { KeptCopy, SessionFile } from '../model/session-summary.ts'
import { completeJson } from '../parse/json/complete-json.ts'
import { recognizeText } from '../parse/problems.ts'
import { parseSessionFile } from '../parse/session-file.ts'
import { isRawObject } from '../raw.ts'
import { placeKey, sessionKey } from './identity.ts'

/** Enough of a text to recognize its type. */
const HEAD_LENGTH = 16 * 1024

const turnSchema = z.object({ role: z.string(), parts: z.unknown() })
type Turn = z.infer<typeof turnSchema>

/**
 * File names of saved chats in a project's folder: `checkpoint-<tag>.json` (`checkpoint.json` before there were tags),
 * `bug-report-history-<ms>.json` by `/bug`, `gemini-conversation-<ms>.json` by `/chat share` without a name.
 */
const SAVED_CHAT = /^(?:checkpoint(?:-.*)?|(?:bug-report-history|gemini-conversation)-.*)\.json$/s

/** Whether a file in a project's folder is a saved chat, by its name. */
export function isSavedChatName(name: string): boolean {
  return SAVED_CHAT.test(name)
}

export interface SavedChat {
  /** Absolute path of the Gemini folder, and path of the file relative to it. */
  home: string
  path: string
  sizeBytes: number
  projectKey: string
  /** null: it cannot be read. */
  text: string | null
  /** If `text` is null: the system's error code, which may be temporary. */
  errno?: string | null
  /** `DiscoveredFile.kept` */
  kept?: KeptCopy | undefined
}

/**
 * A chat that the user saved under a tag (`/chat save`, `/resume save`), for a bug report or to share it: API turns without ids, times and
 * tokens (a file's date is not used, since copies have another), as a bare array (up to 0.15) or as `history` (0.16+). Of a truncated file,
 * the turns before the cut are read; other content becomes a session without messages that reports it. `copies`: files with the same
 * content.
 */
export function savedChatSession(chat: SavedChat, copies: readonly SavedChat[] = []): Session {
  const { tag, sessionId } = nameOf(chat.path)
  const { turns, issues: damage } = readTurns(chat)
  const { messages, issues, drift, buried, drawnKeys } = parseTurns(chat.path, turns)
  const [key = '', ...copyKeys] = [chat, ...copies].map(({ projectKey, path }) =>
    placeKey(sessionKey(sessionId, projectKey), path),
  )
  return {
    key,
    ownKeys: [...new Set([key, ...copyKeys])].sort(),
    fileKeys: [],
    sessionId,
    kind: 'checkpoint',
    parentSessionId: null,
    sameRunKeys: [],
    projectHash: null,
    startTime: null,
    lastUpdated: null,
    summary: tag,
    directories: [],
    messages,
    segments: [
      {
        index: 0,
        reason: 'start',
        file: chat.path,
        firstOffset: 0,
        messages: messages.length,
        startTime: null,
        endTime: null,
      },
    ],
    buried,
    drawnKeys,
    resumedKeys: [],
    files: [
      toFile(chat, damage.length === 0 ? 'current' : 'damaged'),
      ...copies.map((copy) => toFile(copy, damage.length === 0 ? 'copy' : 'damaged')),
    ],
    issues: [...damage, ...issues].map((issue) => ({ ...issue, file: chat.path })),
    drift: drift.map((note) => ({ ...note, file: chat.path })),
  }
}

function toFile({ home, path, sizeBytes, kept }: SavedChat, role: SessionFile['role']): SessionFile {
  return { home, path, sizeBytes, format: 'json', role, ...(kept && { kept }) }
}

function readTurns({ text, sizeBytes, errno }: SavedChat): { turns: Turn[]; issues: ParseIssue[] } {
  if (text === null)
    return { turns: [], issues: [{ code: 'unreadable', at: '', args: errno ? { errno } : {} }] }
  const written = text.replace(/\0+$/, '')
  if (written.trim() === '') return { turns: [], issues: [{ code: 'empty-file', at: '', args: {} }] }
  const whole = parseJson(written)
  const turns = toTurns(whole ?? completeJson(written))
  if (turns === null) return { turns: [], issues: [explainNothing(written, whole === undefined)] }
  if (whole !== undefined) return { turns, issues: [] }
  const code = turns.length === 0 ? 'nothing-whole' : 'truncated-json'
  return { turns, issues: [{ code, at: `byte ${sizeBytes}`, args: {} }] }
}

/** Why a file has no turns. */
function explainNothing(text: string, isCut: boolean): ParseIssue {
  const kind = recognizeText(text.slice(0, HEAD_LENGTH))
  const isChat = kind === 'saved-chat' || kind === 'json-object' || kind === 'json-list'
  if (isCut && isChat) return { code: 'nothing-whole', at: '', args: {} }
  return { code: 'not-a-session', at: '', args: { kind } }
}

/** null: not turns. */
function toTurns(value: unknown): Turn[] | null {
  const rows = isRawObject(value) ? value.history : value
  if (!Array.isArray(rows)) return null
  const turns = rows.flatMap((row) => turnSchema.safeParse(row).data ?? [])
  return turns.length === 0 && rows.length > 0 ? null : turns
}

/** Turns have the same parts as recorded messages, so they are read as a session file in the old format. */
function parseTurns(path: string, turns: readonly Turn[]) {
  const messages = turns.map(({ role, parts }) => ({
    type: role === 'model' ? 'gemini' : role,
    content: parts,
  }))
  const document = JSON.stringify({ sessionId: path, projectHash: '', messages }, null, 2)
  return parseSessionFile({ path, bytes: new TextEncoder().encode(document) })
}

/**
 * `checkpoint-my%20tag%2F1.json` -> `my tag/1`; tags were stored unencoded up to 0.1.21, `checkpoint.json` had none, and files of
 * `/bug` and `/chat share` are identified by their names.
 */
function nameOf(path: string): { tag: string | null; sessionId: string } {
  const stem = path.slice(path.lastIndexOf('/') + 1).replace(/\.json$/, '')
  if (!/^checkpoint(-|$)/.test(stem)) return { tag: null, sessionId: stem }
  const tag = decodeTag(stem.slice('checkpoint-'.length))
  return { tag: tag === '' ? null : tag, sessionId: `checkpoint-${tag}` }
}

function decodeTag(written: string): string {
  try {
    return decodeURIComponent(written)
  } catch {
    return written
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
