import type { ToolOutput } from '../../../model/tool-output.ts'
import { isRawObject, type RawObject } from '../../../raw/raw-object.ts'
import { guardDepth } from '../../problems/guard-depth.ts'
import type { Problems } from '../../problems/problems.ts'
import { countDiffLines } from './count-diff-lines.ts'
import { toAnsiLines } from './to-ansi-lines.ts'
import { toTodos } from './to-todos.ts'

/** What the CLI drew for a call, from `resultDisplay`; null if it drew nothing. */
export function toDisplay(call: RawObject, at: string, problems: Problems): ToolOutput | null {
  const stored = call.resultDisplay
  if (stored === undefined || stored === null || stored === '') return null
  // A command that printed nothing leaves a terminal without a line.
  if (Array.isArray(stored) && stored.length === 0) return null
  if (typeof stored === 'string') return toTextDisplay(stored, call)
  const known = isRawObject(stored) ? toObjectDisplay(stored, at, problems) : toAnsiLines(stored)
  if (known) {
    if (isRawObject(stored)) noteUnknownFields(stored, known.kind, at, problems)
    return known
  }
  const name = isRawObject(stored) ? Object.keys(stored).slice(0, 6).join(',') : typeof stored
  problems.addDrift('resultDisplay', name, at)
  return { kind: 'unknown', json: guardDepth(stored, `${at} resultDisplay`, problems) }
}

function toTextDisplay(text: string, call: RawObject): ToolOutput {
  if (call.status === 'error') return { kind: 'error', text }
  return { kind: call.renderOutputAsMarkdown === true ? 'markdown' : 'text', text }
}

function toObjectDisplay(stored: RawObject, at: string, problems: Problems): ToolOutput | null {
  if (typeof stored.fileDiff === 'string' && typeof stored.fileName === 'string') {
    return toDiff(stored, stored.fileDiff, stored.fileName)
  }
  if (Array.isArray(stored.todos)) return { kind: 'todos', todos: toTodos(stored.todos) }
  if (stored.isSubagentProgress === true) return toSubagentDisplay(stored, at, problems)
  const summary = typeof stored.summary === 'string' ? stored.summary : ''
  if (Array.isArray(stored.matches)) {
    return { kind: 'search', summary, matches: stored.matches.filter(isRawObject).map(toMatch) }
  }
  if (Array.isArray(stored.files)) {
    return { kind: 'list', summary, files: toTexts(stored.files), skipped: toTexts(stored.skipped) }
  }
  return summary === '' ? null : { kind: 'text', text: summary }
}

function noteUnknownFields(
  stored: RawObject,
  kind: ToolOutput['kind'],
  at: string,
  problems: Problems,
): void {
  if (isKnownDisplay(kind)) {
    problems.addUnknownNames(`resultDisplay.${kind}`, stored, KNOWN_DISPLAY_FIELDS[kind], at)
  }
}

function isKnownDisplay(kind: ToolOutput['kind']): kind is keyof typeof KNOWN_DISPLAY_FIELDS {
  return kind in KNOWN_DISPLAY_FIELDS
}

function toDiff(stored: RawObject, fileDiff: string, fileName: string): ToolOutput {
  const { filePath, originalContent, newContent } = stored
  return {
    kind: 'diff',
    fileName,
    filePath: typeof filePath === 'string' ? filePath : null,
    fileDiff,
    originalContent: typeof originalContent === 'string' ? originalContent : null,
    newContent: typeof newContent === 'string' ? newContent : null,
    ...countDiffLines(fileDiff),
    isNewFile: stored.isNewFile === true,
    isRebuilt: false,
  }
}

function toMatch(match: RawObject) {
  const { filePath, lineNumber, line } = match
  return {
    filePath: typeof filePath === 'string' ? filePath : '',
    lineNumber: typeof lineNumber === 'number' && Number.isFinite(lineNumber) ? lineNumber : null,
    line: typeof line === 'string' ? line : '',
    isContext: match.isContext === true,
  }
}

/** Skipped files are stored as paths or as `{path, reason}`. */
function toTexts(list: unknown): string[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((item) => {
    if (typeof item === 'string') return [item]
    if (!isRawObject(item) || typeof item.path !== 'string') return []
    return [typeof item.reason === 'string' ? `${item.path} (${item.reason})` : item.path]
  })
}

/** A sub-agent's progress (0.33+): its last few activities. */
function toSubagentDisplay(stored: RawObject, at: string, problems: Problems): ToolOutput {
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

/** Every field of each object that a known CLI version (0.25 to 0.61) stores as `resultDisplay`, by what it becomes. */
const KNOWN_DISPLAY_FIELDS = {
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
