import type { Origin } from 'gemini-sessions'

const NAMES: [pattern: RegExp, name: string][] = [
  [/<session_context>|This is the Gemini CLI\. We are setting up the context/, 'Session context'],
  [/<hook_context>/, 'Context from a hook'],
  [/<state_snapshot>|<compressed_chat_history>/, 'Summary of the conversation so far'],
  [/^\[SYSTEM\]|<system[-_]reminder>|^System:/i, 'Note from the CLI'],
]

/** What an injected text is, told by how it begins. */
export function injectedName(origin: Origin, texts: readonly string[]): string {
  const head = texts.join('\n').slice(0, 2_000)
  const known = NAMES.find(([pattern]) => pattern.test(head))
  if (known !== undefined) return known[1]
  return origin === 'tool-result' ? 'Result of a tool' : 'Added by the CLI'
}
