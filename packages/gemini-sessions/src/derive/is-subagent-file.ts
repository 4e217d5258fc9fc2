import { isSubagentPrompt } from '../parse/lift/is-subagent-prompt.ts'
import type { ParsedFile } from '../parse/parsed-file.ts'
import { messageText } from './message-text.ts'
import { readSessionPath } from './read-session-path.ts'

/** A sub-agent's run: marked as such (0.31+), in a folder of its parent (0.37+), or begun by a sub-agent's prompt (before). */
export function isSubagentFile(parsed: ParsedFile): boolean {
  if (parsed.header.kind !== null) return parsed.header.kind === 'subagent'
  return readSessionPath(parsed.path).parentId !== null || opensWithSubagentPrompt(parsed)
}

function opensWithSubagentPrompt({ messages }: ParsedFile): boolean {
  const first = messages.find((message) => message.type === 'user')
  return first !== undefined && isSubagentPrompt(messageText(first))
}
