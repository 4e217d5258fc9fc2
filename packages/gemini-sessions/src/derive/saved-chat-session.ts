import { z } from 'zod'
import type { Session } from '../model/session.ts'
import { parseSessionFile } from '../parse/parse-session-file.ts'
import { sessionKey } from './session-key.ts'

const turnsSchema = z.array(z.object({ role: z.string(), parts: z.unknown() }))
const savedChatSchema = z.union([
  turnsSchema,
  z.object({ history: turnsSchema }).transform((chat) => chat.history),
])

export interface SavedChat {
  /** Absolute path of the home, and of the file relative to it. */
  home: string
  path: string
  sizeBytes: number
  /** The file's modification time (ISO 8601 UTC): a saved chat holds no times of its own. */
  modifiedTime: string
  projectKey: string
  text: string
}

/**
 * A chat that the user saved under a tag (`/chat save`, `/resume save`): API turns without ids, times and tokens, as a
 * bare array (up to 0.15) or as `history` (0.16+). null if the text is neither.
 */
export function savedChatSession(chat: SavedChat): Session | null {
  const turns = savedChatSchema.safeParse(parseJson(chat.text))
  if (!turns.success) return null
  const tag = tagOf(chat.path)
  const { messages, issues, drift, knownIds: _, ...file } = parseTurns(chat.path, turns.data)
  const key = sessionKey(`checkpoint-${tag}`, chat.projectKey)
  const time = chat.modifiedTime
  return {
    key,
    ownKeys: [key],
    sessionId: `checkpoint-${tag}`,
    kind: 'checkpoint',
    parentSessionId: null,
    sameRunKeys: [],
    projectHash: null,
    startTime: time,
    lastUpdated: time,
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
        startTime: time,
        endTime: time,
      },
    ],
    buried: file.buried,
    drawnKeys: file.drawnKeys,
    files: [{ home: chat.home, path: chat.path, sizeBytes: chat.sizeBytes, format: 'json', role: 'current' }],
    issues: issues.map((issue) => ({ ...issue, file: chat.path })),
    drift: drift.map((note) => ({ ...note, file: chat.path })),
  }
}

/** Turns hold the same parts as recorded messages, so they are read as a session file of the old form. */
function parseTurns(path: string, turns: z.infer<typeof turnsSchema>) {
  const messages = turns.map(({ role, parts }) => ({
    type: role === 'model' ? 'gemini' : role,
    content: parts,
  }))
  const document = JSON.stringify({ sessionId: path, projectHash: '', messages }, null, 2)
  return parseSessionFile({ path, bytes: new TextEncoder().encode(document) })
}

/** `checkpoint-my%20tag%2F1.json` -> `my tag/1`; tags were stored raw up to 0.1.21, `checkpoint.json` had none. */
function tagOf(path: string): string {
  const raw = /checkpoint-(.*)\.json$/.exec(path)?.[1] ?? ''
  try {
    return decodeURIComponent(raw)
  } catch {
    return raw
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
