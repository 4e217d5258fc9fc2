import { toolLabel } from '@gemini-dash/api/tool-label'
import type { ToolCall } from 'gemini-sessions'
import { textArgument } from './tool-argument.ts'
import { mcpName, toolKind } from './tool-kind.ts'

/** `Edit`, `postgres / describe_table`, `Codebase investigator`, or the name as the model wrote it. */
export function toolTitle(call: ToolCall): string {
  const mcp = mcpName(call)
  if (mcp !== null) return `${mcp.server} / ${mcp.tool}`
  const agent = toolKind(call) === 'subagent' ? agentName(call) : ''
  if (agent !== '') return agent
  // some versions stored no display name, or the tool's own
  const shown = call.displayName?.trim() ?? ''
  return (shown === call.name ? '' : shown) || toolLabel(call.name) || 'Unnamed tool'
}

/** `codebase_investigator` as people write it. */
function agentName(call: ToolCall): string {
  const name =
    textArgument(call, 'agent_name') || (call.display?.kind === 'subagent' ? call.display.agentName : '')
  const words = name.replaceAll(/[_-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
