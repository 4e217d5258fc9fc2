import type { ToolCall } from 'gemini-sessions'

/** Arguments that say what a call is about, most telling first. */
const TELLING = [
  'command',
  'file_path',
  'absolute_path',
  'path',
  'dir_path',
  'pattern',
  'query',
  'url',
  'prompt',
  'objective',
  'question',
  'fact',
  'agent_name',
  'title',
  'reason',
  'plan',
  'plan_filename',
]

const MAX_LENGTH = 300

/** One line for the head of a card: the call's own words where stored, else what its arguments tell. */
export function toolArgument(call: ToolCall): string {
  const args = recordOf(call.args)
  const command = args.command
  // a shell's own line mixes the command with its folder and purpose
  if (typeof command === 'string' && command.trim() !== '') return oneLine(command)
  const todos = todoLine(call)
  if (todos !== null) return todos
  const questions = questionLine(args.questions)
  if (questions !== '') return oneLine(questions)
  if (call.description !== null && call.description.trim() !== '') return oneLine(call.description)
  for (const name of TELLING) {
    const value = args[name]
    if (typeof value === 'string' && value.trim() !== '') return oneLine(value)
  }
  return Object.keys(args).length === 0 ? '' : oneLine(JSON.stringify(call.args))
}

/** An argument as text; '' where it is missing or something else. */
export function textArgument(call: ToolCall, ...names: string[]): string {
  const args = recordOf(call.args)
  for (const name of names) {
    const value = args[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return ''
}

/** An argument as a number; null where it is missing or something else. */
export function numberArgument(call: ToolCall, name: string): number | null {
  const value = recordOf(call.args)[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

function todoLine(call: ToolCall): string | null {
  if (call.display?.kind !== 'todos') return null
  const { todos } = call.display
  const done = todos.filter((todo) => todo.status === 'completed').length
  return done === 0
    ? `${todos.length} ${todos.length === 1 ? 'task' : 'tasks'}`
    : `${done} of ${todos.length} done`
}

/** What `ask_user` asks. */
function questionLine(questions: unknown): string {
  if (!Array.isArray(questions)) return ''
  return questions.flatMap((row) => recordOf(row).question ?? []).join(' ')
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
}

function oneLine(text: string): string {
  const line = text
    .slice(0, MAX_LENGTH * 2)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line
}
