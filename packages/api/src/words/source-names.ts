import type { Message, SessionProgram, SessionSummary } from 'gemini-sessions'

/** Names of the programs that record sessions. */
export const SOURCE_NAMES: Readonly<Record<SessionProgram, string>> = {
  'gemini-cli': 'Gemini CLI',
  'antigravity-cli': 'Antigravity CLI',
}

/** All programs. */
export const SOURCES = Object.keys(SOURCE_NAMES) as SessionProgram[]

/** Display names of the model: depend on the program that recorded it. */
export const MODEL_NAMES: Readonly<Record<SessionProgram, string>> = {
  'gemini-cli': 'Gemini',
  'antigravity-cli': 'Antigravity',
}

/** Display name of the model in a message. */
export function modelVoice(message: Pick<Message, 'source'>): string {
  return MODEL_NAMES[programOf(message)]
}

/** The author of a message, as shown in every kind of transcript. */
export function speakerOf(message: Pick<Message, 'origin' | 'source'>): string {
  const program = SOURCE_NAMES[programOf(message)]
  switch (message.origin) {
    case 'human':
      return 'You'
    case 'model':
      return modelVoice(message)
    case 'tool-result':
      return 'Tool result'
    case 'injected':
      return `Injected by ${program}`
    case 'cli':
      return program
  }
}

function programOf({ source }: Pick<Message, 'source'>): SessionProgram {
  return source.file.startsWith('antigravity-cli/') ? 'antigravity-cli' : 'gemini-cli'
}

/** A caveat for the costs of a program whose use a subscription may cover; null if none. */
export function costCaveat(source: SessionProgram): string | null {
  return source === 'antigravity-cli' ? 'API list price, not what a subscription was charged.' : null
}

/** The name of the file from which a session was added to the archive; null if it was not. */
export function addedFrom({ files }: Pick<SessionSummary, 'files'>): string | null {
  return files.find(({ kept }) => kept?.cause === 'added')?.kept?.from ?? null
}
