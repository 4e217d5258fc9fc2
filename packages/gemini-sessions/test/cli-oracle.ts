import { existsSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

const LOADER = fileURLToPath(
  new URL(
    '../../../tools/oracle/node_modules/@google/gemini-cli-core/dist/src/services/chatRecordingService.js',
    import.meta.url,
  ),
)

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
  if (!existsSync(LOADER)) {
    throw new Error(
      'The oracle is not installed: run `npm ci --ignore-scripts` in tools/oracle (`npm test` does it for you).',
    )
  }
  return import(pathToFileURL(LOADER).href)
}
