import { existsSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

const LOADER = fileURLToPath(
  new URL(
    '../../../tools/oracle/node_modules/@google/gemini-cli-core/dist/src/services/chatRecordingService.js',
    import.meta.url,
  ),
)

interface CliLoader {
  loadConversationRecord(path: string): Promise<{ messages: { id?: string }[] } | null>
}

/** The message ids that Gemini CLI's own loader (0.61.0) holds after reading a file; null if it refuses the file. */
export async function loadIdsWithCli(path: string): Promise<(string | undefined)[] | null> {
  const loader = await importLoader()
  const record = await loader.loadConversationRecord(path)
  return record?.messages.map((message) => message.id) ?? null
}

async function importLoader(): Promise<CliLoader> {
  if (!existsSync(LOADER)) {
    throw new Error(
      'The oracle is not installed: run `npm ci --ignore-scripts` in tools/oracle (`npm test` does it for you).',
    )
  }
  return import(pathToFileURL(LOADER).href)
}
