import type { Message } from '../../model/message.ts'
import type { ToolCall } from '../../model/tool-call.ts'
import { isSubagentPrompt } from './prompt/is-subagent-prompt.ts'

const STARTING_TOOLS = new Set(['codebase_investigator', 'delegate_to_agent', 'cli_help', 'invoke_agent'])

/**
 * Up to 0.30 a sub-agent's messages land in its parent's file: from its generated prompt up to the message
 * that records the parent's finished call. Sets their `agentKey` to the id of that call or, where the run
 * never finished, to the key of the prompt. A file that opens with such a prompt is a sub-agent's own.
 */
export function markSubagentMessages(messages: readonly Message[]): void {
  const first = messages.find((message) => message.type === 'user' && message.origin !== 'tool-result')
  messages.forEach((message, index) => {
    if (message === first || message.agentKey !== null || !opensRun(message)) return
    const end = findEnd(messages, index + 1)
    const call = end === -1 ? undefined : messages[end]?.toolCalls.find(startsAgent)
    const agentKey = call?.id || message.key
    for (const inner of messages.slice(index, end === -1 ? undefined : end)) inner.agentKey = agentKey
  })
}

function findEnd(messages: readonly Message[], from: number): number {
  for (let at = from; at < messages.length; at += 1) {
    const message = messages[at]
    if (message && endsRun(message)) return at
  }
  return -1
}

function opensRun(message: Message): boolean {
  const [part] = message.content
  return message.type === 'user' && part?.kind === 'text' && isSubagentPrompt(part.text)
}

function endsRun(message: Message): boolean {
  return message.origin === 'human' || message.toolCalls.some(startsAgent)
}

function startsAgent(call: ToolCall): boolean {
  return STARTING_TOOLS.has(call.name)
}
