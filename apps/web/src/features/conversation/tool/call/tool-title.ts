import { toolLabel } from '@gemini-dash/api/tool-label'
import type { ToolCall } from 'gemini-sessions'
import { textArgument } from './tool-argument.ts'
import { mcpName, toolKind } from './tool-kind.ts'

/** The tool's one name, and behind it what tells its calls apart: `Invoke Subagent: Codebase investigator`, `query (my_db)`. */
export function toolTitle(call: ToolCall): string {
  const label = toolLabel(call.name) || 'Unnamed tool'
  const agent = toolKind(call) === 'subagent' ? agentName(call) : ''
  if (agent !== '') return `${label}: ${agent}`
  const server = mcpName(call)?.server
  return server === undefined || label.includes(' / ') ? label : `${label} (${server})`
}

/** `codebase_investigator` as people write it; nothing where the tool itself is called so. */
function agentName(call: ToolCall): string {
  const name =
    textArgument(call, 'agent_name') || (call.display?.kind === 'subagent' ? call.display.agentName : '')
  if (name === call.name) return ''
  const words = name.replaceAll(/[_-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
