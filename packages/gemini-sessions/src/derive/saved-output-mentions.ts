import type { Message, Part, ToolCall, ToolOutput } from '../model/message.ts'

/**
 * How the CLI mentions where the whole output is: "The full output has been saved to: PATH" (0.8 to 0.25), "Output too large. … For full
 * output see: PATH" (0.26+), "Full output available at: PATH" and "Full output/string saved to: PATH]" (masked, 0.29+; distilled, 0.4x+).
 */
const MENTION =
  /[Ff]ull (?:output|string) (?:available at|saved to|has been saved to|see):[ \t]*([^\r\n<>"\]]+?)[ \t]*(?=[\r\n<>"\]]|$)/g
/** A mention is at the very start or end of a text, around a preview of some thousand characters. */
const SEARCHED_CHARS = 16_384

/** Paths of the whole output in a call's result, `/` on every system, each once. */
export function savedOutputMentions({ output, display, extraParts }: ToolCall): string[] {
  const texts = [output, display, ...extraParts].flatMap((piece) => (piece === null ? [] : textsOf(piece)))
  const paths = texts
    .map(endsOf)
    // several times as fast as the pattern, which few texts match
    .filter((text) => text.includes('ull output') || text.includes('ull string'))
    .flatMap((text) => [...text.matchAll(MENTION)].map(([, path]) => path ?? ''))
  return [...new Set(paths.map((path) => path.replaceAll('\\', '/')))].filter(isOfTheCli)
}

function textsOf(piece: ToolOutput | Part): string[] {
  if ('text' in piece) return [piece.text]
  if (piece.kind === 'ansi')
    return [piece.lines.map((line) => line.map(({ text }) => text).join('')).join('\n')]
  return []
}

function endsOf(text: string): string {
  if (text.length <= 2 * SEARCHED_CHARS) return text
  return `${text.slice(0, SEARCHED_CHARS)}\n${text.slice(-SEARCHED_CHARS)}`
}

/** A tool's own output may say the same about any file: only places that the CLI saves to count (loose files up to 0.28). */
function isOfTheCli(path: string): boolean {
  if (path.split('/').includes('..')) return false
  return /\/tool[-_]outputs?\/./.test(path) || /\/tmp\/[0-9a-f]{64}\/[^/]+\.(txt|output)$/.test(path)
}

type TodoList = Extract<ToolOutput, { kind: 'todos' }>

/**
 * `shown` messages of a session with `previous` set on their todo lists: the preceding list of the same tool and agent. A rewound or
 * refused list is only the previous one within its own branch.
 */
export function linkTodoLists(messages: readonly Message[], shown: readonly Message[]): Message[] {
  const wanted = new Set(shown.filter(hasTodos).map(({ key }) => key))
  if (wanted.size === 0) return [...shown]
  const before = listsBefore(messages, wanted)
  return shown.map((message) => {
    const lists = before.get(message.key)
    return lists === undefined ? message : withPrevious(message, lists)
  })
}

/** For each wanted message, the preceding list by call index. */
function listsBefore(
  messages: readonly Message[],
  wanted: ReadonlySet<string>,
): Map<string, (TodoList | undefined)[]> {
  const found = new Map<string, (TodoList | undefined)[]>()
  const lastLive = new Map<string, TodoList>()
  const lastOfBranch = new Map<string, TodoList>()
  for (const message of messages) {
    const isTakenBack = message.superseded !== null && message.superseded !== 'compacted'
    if (!isTakenBack) lastOfBranch.clear()
    const previous = message.toolCalls.map((call) => {
      const list = todosOf(call)
      if (list === undefined) return undefined
      const line = `${message.agentKey ?? ''} ${call.name.startsWith('tracker_') ? 'tracker' : call.name}`
      const last = lastOfBranch.get(line) ?? lastLive.get(line)
      if (call.status === 'success') (isTakenBack ? lastOfBranch : lastLive).set(line, list)
      return last
    })
    if (wanted.has(message.key)) found.set(message.key, previous)
  }
  return found
}

function withPrevious(message: Message, lists: readonly (TodoList | undefined)[]): Message {
  const toolCalls = message.toolCalls.map((call, index) => {
    const list = todosOf(call)
    const previous = lists[index]?.todos
    return list === undefined || previous === undefined ? call : { ...call, display: { ...list, previous } }
  })
  return { ...message, toolCalls }
}

function hasTodos(message: Message): boolean {
  return message.toolCalls.some((call) => todosOf(call) !== undefined)
}

function todosOf({ display }: ToolCall): TodoList | undefined {
  return display?.kind === 'todos' ? display : undefined
}
