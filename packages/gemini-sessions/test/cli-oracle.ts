import { pathToFileURL } from 'node:url'
import { CLI_LOADER } from '../../../fixtures/installed-tools.ts'

const KNOWN_TYPES = new Set(['user', 'gemini', 'info', 'error', 'warning'])

export interface CliMessage {
  id?: string
  type?: unknown
  timestamp?: unknown
  content?: unknown
  thoughts?: unknown
  toolCalls?: unknown
  tokens?: unknown
  model?: unknown
}

/** The result of Gemini CLI's own loader for a file. */
export interface CliRecord {
  sessionId: string
  projectHash: string
  startTime: string
  lastUpdated: string
  summary?: string
  directories?: string[]
  kind?: string
  messages: CliMessage[]
  hasResumableContent?: boolean
}

interface CliLoader {
  loadConversationRecord(path: string): Promise<CliRecord | null>
}

/** The messages that Gemini CLI's own loader (0.61.0) holds after reading a file, in order; null if it refuses the file. */
export async function loadMessagesWithCli(path: string): Promise<{ id: string; type: string }[] | null> {
  const record = await loadRecordWithCli(path)
  return record?.messages.map(({ id = '', type }) => ({ id, type: toKnownType(type) })) ?? null
}

/** The complete result of the same loader for a file; null if it refuses the file. */
export async function loadRecordWithCli(path: string): Promise<CliRecord | null> {
  const loader: CliLoader = await import(pathToFileURL(CLI_LOADER).href)
  return loader.loadConversationRecord(path)
}

/** The model has a single name for all unknown types. */
export function toKnownType(type: unknown): string {
  return typeof type === 'string' && KNOWN_TYPES.has(type) ? type : 'unknown'
}
