import { isSubagentPrompt } from '../../parse/lift/prompt/is-subagent-prompt.ts'
import type { ParsedFile } from '../../parse/log/parsed-file.ts'
import { messageText } from '../messages/message-text.ts'
import { readSessionPath } from './read-session-path.ts'

/**
 * A sub-agent's run: marked as such (0.31+), in a folder of its parent under its own id (0.37+), or begun by a sub-agent's
 * prompt (before). A `session-…` file in a folder is a main session that somebody put there.
 */
export function isSubagentFile(parsed: ParsedFile): boolean {
  if (parsed.header.kind !== null) return parsed.header.kind === 'subagent'
  const { parentId, stem } = readSessionPath(parsed.path)
  return (parentId !== null && !stem.startsWith('session-')) || opensWithSubagentPrompt(parsed)
}

function opensWithSubagentPrompt({ messages }: ParsedFile): boolean {
  const first = messages.find((message) => message.type === 'user')
  return first !== undefined && isSubagentPrompt(messageText(first))
}
