import { pathToFileURL } from 'node:url'
import { CLI_LOADER } from '../../../fixtures/installed-tools.ts'

const KNOWN_TYPES = new Set(['user', 'gemini', 'info', 'error', 'warning'])

interface CliMessage {
  id?: string
  type?: unknown
}

interface CliLoader {
  loadConversationRecord(path: string): Promise<{ messages: CliMessage[] } | null>
}

/** The messages that Gemini CLI's own loader (0.61.0) holds after reading a file, in order; null if it refuses the file. */
export async function loadMessagesWithCli(path: string): Promise<{ id: string; type: string }[] | null> {
  const loader = await importLoader()
  const record = await loader.loadConversationRecord(path)
  return record?.messages.map(({ id = '', type }) => ({ id, type: toKnownType(type) })) ?? null
}

/** The model has one word for all types that no version writes. */
function toKnownType(type: unknown): string {
  return typeof type === 'string' && KNOWN_TYPES.has(type) ? type : 'unknown'
}

async function importLoader(): Promise<CliLoader> {
  return import(pathToFileURL(CLI_LOADER).href)
}
