import type { ToolOutput } from '../model/tool-output.ts'

/** Every field of each object that a known CLI version (0.25 to 0.61) stores as `resultDisplay`, by what it becomes. */
export const KNOWN_DISPLAY_FIELDS = {
  diff: new Set([
    'fileDiff',
    'fileName',
    'filePath',
    'originalContent',
    'newContent',
    'diffStat',
    'isNewFile',
    'isBuildFile',
  ]),
  todos: new Set(['todos']),
  subagent: new Set([
    'isSubagentProgress',
    'agentName',
    'recentActivity',
    'state',
    'result',
    'terminateReason',
  ]),
  search: new Set(['summary', 'matches', 'payload']),
  list: new Set(['summary', 'files', 'payload', 'skipped', 'include', 'excludes', 'targetDir']),
  text: new Set(['summary', 'payload']),
} satisfies Partial<Record<ToolOutput['kind'], ReadonlySet<string>>>
