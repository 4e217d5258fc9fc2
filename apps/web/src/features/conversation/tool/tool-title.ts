import type { ToolCall } from 'gemini-sessions'
import { toolLabel } from '../../../lib/tool-label.ts'
import { mcpName } from './tool-kind.ts'

/** `Edit`, `postgres / describe_table`, or the name as the model wrote it. */
export function toolTitle(call: ToolCall): string {
  const mcp = mcpName(call)
  if (mcp !== null) return `${mcp.server} / ${mcp.tool}`
  // some versions stored no display name
  return call.displayName?.trim() || toolLabel(call.name) || 'Unnamed tool'
}
