import type { Message } from '../../model/message.ts'
import type { SessionSummary } from '../../model/session-summary.ts'
import type { ToolCall } from '../../model/tool-call.ts'

/** What must be known of a sub-agent's session to find the call that started it. */
export type SubagentRef = Pick<SessionSummary, 'key' | 'sessionId' | 'startTime' | 'endTime'>

/**
 * Messages of a parent with `agentKey` set on the tool calls that started these sub-agents: by the id that the CLI
 * recorded (0.39+), else (0.37, 0.38 and flat files) by the call recorded next after the sub-agent's last message.
 */
export function linkAgentCalls(messages: readonly Message[], subagents: readonly SubagentRef[]): Message[] {
  if (subagents.length === 0) return [...messages]
  const keyOfCall = new Map<ToolCall, string>()
  const calls = messages.flatMap((message) => message.toolCalls)
  const unlinked = subagents.filter((subagent) => {
    const byId = calls.filter((call) => call.agentId === subagent.sessionId)
    for (const call of byId) keyOfCall.set(call, subagent.key)
    return byId.length === 0
  })
  for (const subagent of unlinked) {
    const call = callByTime(
      calls.filter((candidate) => !keyOfCall.has(candidate)),
      subagent,
    )
    if (call) keyOfCall.set(call, subagent.key)
  }
  return messages.map((message) =>
    message.toolCalls.some((call) => keyOfCall.has(call))
      ? {
          ...message,
          toolCalls: message.toolCalls.map((call) => ({
            ...call,
            agentKey: keyOfCall.get(call) ?? call.agentKey,
          })),
        }
      : message,
  )
}

/** A call is recorded when its result is there, so just after the sub-agent's end. */
function callByTime(calls: readonly ToolCall[], { endTime }: SubagentRef): ToolCall | undefined {
  const endMs = Date.parse(endTime ?? '')
  return calls
    .filter((call) => call.agentId === null && startsAgent(call) && Date.parse(call.timestamp ?? '') >= endMs)
    .sort((a, b) => Date.parse(a.timestamp ?? '') - Date.parse(b.timestamp ?? ''))[0]
}

/** `resultDisplay` tells from 0.33 on; before, the tools that start an agent are known by name. */
function startsAgent({ name, display, output }: ToolCall): boolean {
  return display?.kind === 'subagent' || output.kind === 'subagent' || AGENT_TOOLS.has(name)
}

const AGENT_TOOLS = new Set(['invoke_agent', 'delegate_to_agent', 'codebase_investigator', 'cli_help'])
