import type { ComparedSession, Comparison } from '@gemini-dash/api'
import {
  alignTurns,
  type Message,
  messageText,
  type SessionSummary,
  type ToolStats,
  type TouchedFile,
  type Turn,
} from 'gemini-sessions'
import type { SessionContent } from './session-content.ts'

/** What is known of one of the two. */
export interface ComparedSource {
  session: ComparedSession['session']
  outline: Turn[]
  tools: ComparedTool[]
  files: TouchedFile[]
  /** The messages at its end. */
  tail: Message[]
}

type ComparedTool = NonNullable<Comparison['tools'][number]['a']> & { name: string }

interface KnownSession {
  summary: Pick<SessionSummary, 'subagentKeys'>
  record: { tools: readonly ToolStats[] }
}

/** The tools of a session, its own calls and those together with its sub-agents. */
export function comparedTools(sessions: ReadonlyMap<string, KnownSession>, key: string): ComparedTool[] {
  const rows = new Map<string, ComparedTool>()
  const visit = (of: string) => {
    const session = sessions.get(of)
    for (const { name, calls, errors } of session?.record.tools ?? []) {
      const row = rows.get(name) ?? { name, calls: 0, errors: 0, withSubagents: { calls: 0, errors: 0 } }
      const { withSubagents } = row
      rows.set(name, {
        name,
        calls: row.calls + (of === key ? calls : 0),
        errors: row.errors + (of === key ? errors : 0),
        withSubagents: { calls: withSubagents.calls + calls, errors: withSubagents.errors + errors },
      })
    }
    session?.summary.subagentKeys.forEach(visit)
  }
  visit(key)
  return [...rows.values()]
}

const MAX_ANSWER_LENGTH = 400
/** Messages at the end, among which the last answer is. */
const COMPARED_TAIL = 100

/** null: there is no such session. */
export async function readCompared(
  content: SessionContent,
  key: string,
  tools: ComparedTool[],
): Promise<ComparedSource | null> {
  const detail = await content.session(key)
  if (detail === null) return null
  const { session, outline, messageTotal } = detail
  const offset = Math.max(0, messageTotal - COMPARED_TAIL)
  const [files, page] = await Promise.all([
    content.answer('files', key, {}),
    content.answer('messages', key, { offset, limit: COMPARED_TAIL, superseded: 'include' }),
  ])
  return { session, outline, tools, files: files?.files ?? [], tail: page?.messages ?? [] }
}

/** Two sessions side by side: turns, tools and files that belong together in one row. */
export function compareSessions(a: ComparedSource, b: ComparedSource): Comparison {
  const tools = join(a.tools, b.tools, ({ name }) => name)
  const files = join(a.files, b.files, ({ name }) => name)
  return {
    a: toCompared(a),
    b: toCompared(b),
    turns: alignTurns(a.outline, b.outline),
    tools: tools
      .map((row) => ({ name: row.name, a: toFigures(row.a), b: toFigures(row.b) }))
      .sort((one, other) => calls(other) - calls(one) || compareNames(one, other)),
    files: files.sort((one, other) => changes(other) - changes(one) || compareNames(one, other)),
  }
}

function toCompared({ session, outline, tail }: ComparedSource): ComparedSession {
  const last = tail.findLast(
    (message) =>
      message.origin === 'model' && message.superseded === null && messageText(message).trim() !== '',
  )
  return {
    session,
    turns: outline.filter(({ number }) => number > 0).length,
    lastAnswer: last === undefined ? null : { messageKey: last.key, text: beginningOf(messageText(last)) },
  }
}

function beginningOf(text: string): string {
  const characters = Array.from(text.trim().slice(0, MAX_ANSWER_LENGTH * 2))
  return characters.length <= MAX_ANSWER_LENGTH
    ? characters.join('')
    : `${characters.slice(0, MAX_ANSWER_LENGTH - 1).join('')}…`
}

interface Row<T> {
  name: string
  a: T | null
  b: T | null
}

function join<T>(a: readonly T[], b: readonly T[], nameOf: (each: T) => string): Row<T>[] {
  const rows = new Map<string, Row<T>>()
  const put = (side: 'a' | 'b') => (each: T) => {
    const name = nameOf(each)
    const row = rows.get(name) ?? { name, a: null, b: null }
    row[side] = each
    rows.set(name, row)
  }
  a.forEach(put('a'))
  b.forEach(put('b'))
  return [...rows.values()]
}

function toFigures(tool: ComparedTool | null): Comparison['tools'][number]['a'] {
  if (tool === null) return null
  const { calls, errors, withSubagents } = tool
  return { calls, errors, withSubagents }
}

function calls({ a, b }: Comparison['tools'][number]): number {
  return (a?.withSubagents.calls ?? 0) + (b?.withSubagents.calls ?? 0)
}

function changes({ a, b }: Row<TouchedFile>): number {
  return [a, b].reduce((sum, file) => sum + (file?.edits ?? 0) + (file?.writes ?? 0), 0)
}

function compareNames(one: { name: string }, other: { name: string }): number {
  return one.name < other.name ? -1 : 1
}
