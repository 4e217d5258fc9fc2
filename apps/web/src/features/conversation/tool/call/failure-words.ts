import type { ToolCall } from 'gemini-sessions'

export interface FailureWords {
  /** For the head of a card. */
  word: string
  /** What happened, plainly. */
  sentence: string
}

/** What the CLI says where a call fails, in the words of its versions, and what that means. */
const KNOWN: [pattern: RegExp, words: FailureWords][] = [
  [
    /0 occurrences found|could not find the string to replace|could not find an exact match/i,
    { word: 'No match', sentence: 'The text to be replaced is not in the file, so nothing was changed.' },
  ],
  [
    /expected \d+ occurrences? but found \d+/i,
    {
      word: 'Not unique',
      sentence:
        'The text to be replaced is in the file more often than was expected, so nothing was changed.',
    },
  ],
  [
    /no changes to apply|old_string and new_string are identical/i,
    { word: 'No change', sentence: 'The new text is the same as the old one.' },
  ],
  [
    /not found in registry|^Tool "[^"]*" not found/i,
    { word: 'No such tool', sentence: 'Gemini CLI has no tool of this name.' },
  ],
  [
    /denied by policy/i,
    { word: 'Denied by policy', sentence: 'A policy of Gemini CLI did not allow this call.' },
  ],
  [
    /not in workspace|must be within|outside (?:of )?the (?:allowed )?workspace|resolves outside/i,
    { word: 'Outside', sentence: 'The path lies outside the folders that Gemini CLI may use.' },
  ],
  [
    /ignored by configured ignore patterns/i,
    { word: 'Ignored', sentence: 'The file is ignored by the project’s ignore patterns.' },
  ],
  [
    /file not found|path does not exist|no such file|directory not found/i,
    { word: 'Not found', sentence: 'There is no such file or folder.' },
  ],
  [
    /\[blocked host\]|blocked or private host/i,
    { word: 'Blocked', sentence: 'The address is a private or local one, which Gemini CLI does not fetch.' },
  ],
  [
    /fetch failed|error during (?:fallback )?fetch|request failed with status/i,
    { word: 'Fetch failed', sentence: 'The page could not be fetched.' },
  ],
  [
    /params? must have required property|invalid (?:tool )?param|must be (?:string|number|array|object|boolean)/i,
    { word: 'Bad arguments', sentence: 'The arguments of the call were not what the tool needs.' },
  ],
]
/** The reason stands at the start; what follows may be a whole file. */
const START_LENGTH = 2_000

/** null where the words of the error itself say it best. */
export function failureWords(call: ToolCall): FailureWords | null {
  if (call.status !== 'error') return null
  const told = [call.output, call.display].flatMap((output) =>
    output !== null && 'text' in output ? output.text.slice(0, START_LENGTH) : [],
  )
  return KNOWN.find(([pattern]) => told.some((text) => pattern.test(text)))?.[1] ?? null
}
