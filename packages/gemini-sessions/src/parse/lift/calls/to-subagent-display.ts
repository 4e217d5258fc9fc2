import type { ToolOutput } from '../../../model/tool-output.ts'
import { isRawObject, type RawObject } from '../../../raw/raw-object.ts'
import { guardDepth } from '../../problems/guard-depth.ts'
import type { Problems } from '../../problems/problems.ts'

/** A sub-agent's progress (0.33+): its last few activities. */
export function toSubagentDisplay(stored: RawObject, at: string, problems: Problems): ToolOutput {
  const activity = Array.isArray(stored.recentActivity) ? stored.recentActivity.filter(isRawObject) : []
  return {
    kind: 'subagent',
    agentName: toText(stored.agentName) ?? '',
    state: toText(stored.state),
    activity: activity.map((step) => ({
      id: toText(step.id) ?? '',
      type: toText(step.type) ?? '',
      content: toText(step.content) ?? '',
      displayName: toText(step.displayName),
      description: toText(step.description),
      args: guardDepth(toArgs(step.args), `${at} recentActivity.args`, problems),
      status: toText(step.status) ?? '',
    })),
    result: toText(stored.result),
    terminateReason: toText(stored.terminateReason),
  }
}

/** The CLI stores them as a JSON string. */
function toArgs(args: unknown): unknown {
  if (typeof args !== 'string') return null
  try {
    return JSON.parse(args)
  } catch {
    return args
  }
}

function toText(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
