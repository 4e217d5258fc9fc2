import type { Message } from 'gemini-sessions'

const NAMES: [pattern: RegExp, name: string][] = [
  [/<session_context>|This is the Gemini CLI\. We are setting up the context/, 'Session context'],
  [/<hook_context>/, 'Context from a hook'],
  [/<state_snapshot>|<compressed_chat_history>/, 'Summary of the conversation so far'],
  [/^\[SYSTEM\]|<system[-_]reminder>|^System:/i, 'Note from the CLI'],
]

export function injectedTexts(message: Message): string[] {
  const parts = message.content.flatMap((part) => (part.kind === 'text' ? [part.text] : []))
  return [...parts, ...message.attachments.map((attachment) => attachment.text)]
}

/** What an injected text is, told by how it begins. */
export function injectedName(
  message: Pick<Message, 'origin' | 'agentKey'>,
  texts: readonly string[],
): string {
  const head = texts.join('\n').slice(0, 2_000)
  const known = NAMES.find(([pattern]) => pattern.test(head))
  if (known !== undefined) return known[1]
  if (message.origin === 'tool-result') return 'Result of a tool'
  return message.agentKey === null ? 'Added by the CLI' : 'Task of the sub-agent'
}
