import type { Message } from '../../model/message.ts'

/** Ids of the sub-agents that these messages' calls started, as far as the CLI recorded them (0.39+). */
export function agentIds(messages: readonly Message[]): string[] {
  const ids = messages.flatMap(({ toolCalls }) => toolCalls.flatMap(({ agentId }) => agentId ?? []))
  return [...new Set(ids)]
}
