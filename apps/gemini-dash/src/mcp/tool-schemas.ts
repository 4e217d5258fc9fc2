import { z } from 'zod'
import { TOOLS, type ToolName } from './tools.ts'

const WHOLE = { type: 'integer' }

/** Each argument in words, and its form where the schema, which also reads text from addresses, does not say it. */
const ARGUMENTS: Record<string, { description: string; type?: string; minimum?: number; maximum?: number }> =
  {
    key: {
      description: 'A session: its key, its session id, or the beginning of one (4 characters at least).',
    },
    q: {
      description:
        'Words of one message, "a phrase", -without, a OR b, begin*, and filters: project:NAME model:NAME tool:NAME status:error file:PATH in:prompt,answer has:diff is:error tokens:>50k cost:>0.10 after:-7d before:2026-01-31.',
    },
    mode: { description: 'words (default), substring (exact text) or regex.' },
    sort: { description: 'The order of rows; list_sessions: with - before it, it is turned around.' },
    project: { description: 'Only this project: its key, name, path, or a part of one.' },
    model: { description: 'Only sessions with this model.' },
    kind: {
      description:
        'What a row is: main (default), subagent, checkpoint, prompts-only, empty (nothing was said) or all.',
    },
    empty: { description: 'exclude: without sessions in which nothing was said.' },
    parent: { description: 'Only sub-agents that the session of this key started.' },
    home: { description: 'Only sessions of this Gemini home.' },
    title: { description: 'Only sessions whose title or first prompt contains this.' },
    starred: { description: 'true: only sessions that the person starred; false: none of them.' },
    tag: { description: 'Only sessions that the person gave this tag.' },
    has: {
      description: 'errors: only sessions where something failed; live: only those that are written now.',
    },
    in: {
      description:
        'Where to search: prompt, answer, thought, tool-args, tool-output, notice, attachment, title; commas mean one of.',
    },
    tool: { description: 'Only calls of this tool; commas mean one of.' },
    status: { description: 'Only calls that ended so: success, error, cancelled.' },
    is: { description: 'error, live, subagent or superseded.' },
    from: {
      description:
        'From this day (2026-01-31), time or span (7d: today and the six days before; 12h: from twelve hours ago) on.',
    },
    to: { description: 'Up to this day, time or span, which is not included.' },
    tz: { description: 'Time zone of days and bare dates, as Europe/Vienna.' },
    by: { description: 'What a row is of.' },
    split: { description: 'With by day: each day by model or by project.' },
    order: { description: 'tokens: the rows with most tokens first.' },
    superseded: { description: 'exclude: without what was taken back, summarised or replaced.' },
    show: { description: 'Only messages with this: dialogue, errors, edits, shell or thoughts.' },
    around: { description: 'The key of a message: the answer begins a little before it.' },
    offset: { description: 'Begin with this message (0-based).', ...WHOLE, minimum: 0 },
    limit: {
      description: 'At most so many rows; an answer holds as many as fit.',
      ...WHOLE,
      minimum: 1,
      maximum: 1000,
    },
    maxText: {
      description: 'Longer texts are cut and say so (default 2000).',
      ...WHOLE,
      minimum: 200,
      maximum: 50000,
    },
    cursor: { description: 'Go on behind an answer: its nextCursor.' },
    timeout: {
      description:
        'With mode substring or regex: seconds after which it answers with what it found (default 10). partial is then not null, and nextCursor goes on.',
    },
  }

/** The five tools as `tools/list` tells them: all of them read, none changes anything or leaves this computer. */
export function listTools() {
  return (Object.keys(TOOLS) as ToolName[]).map((name) => {
    const { title, description, schema } = TOOLS[name]
    const hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
    return { name, title, description, inputSchema: argumentsOf(schema), annotations: { title, ...hints } }
  })
}

function argumentsOf(schema: z.ZodObject) {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  // what nothing is said of is not offered: it is a field of the route that an agent has no use for
  const told = Object.entries(properties).flatMap(([name, property]) => {
    const said = ARGUMENTS[name]
    return said === undefined ? [] : [[name, { ...(typeof property === 'object' ? property : {}), ...said }]]
  })
  return { type: 'object' as const, properties: Object.fromEntries(told), required }
}
