import {
  handoverQuerySchema,
  type MessagePage,
  type MessageQuery,
  messageQuerySchema,
  searchQuerySchema,
  sessionQuerySchema,
  type UsageReport,
  type UsageWhyQuery,
  usageQuerySchema,
} from '@gemini-dash/api'
import { cutQuery } from '@gemini-dash/api/cut-query'
import { foldHits } from '@gemini-dash/api/fold-hits'
import { z } from 'zod'
import { chosenSession } from '../commands/show.ts'
import { readSpan, withCheckedCursor } from '../environment/answer-question.ts'
import type { AskedOf, CommandAnswers, CommandQuestion } from '../store/command-question.ts'
import { isListCursor } from '../store/list.ts'
import { isSearchCursor } from '../store/search/searches.ts'
import { CliError } from '../terminal/cli-error.ts'
import {
  AnswerRows,
  HIT_LIMITS,
  hitRow,
  messageRow,
  type Outlet,
  outgoing,
  RECORDED,
  roundUsd,
  SESSION_LIMITS,
  sessionRow,
  TURN_LIMITS,
  turnRow,
  usageRow,
} from './answer-rows.ts'
import { COMMAND_LIMITS, commandRow, FIX_LIMITS, fixRow } from './fix-rows.ts'

/** Answer of a tool: Markdown, or a JSON object. */
type ToolAnswer = string | Record<string, unknown>

/** The caller of a tool, and the source of its answers. */
export interface Asker {
  ask: <Name extends CommandQuestion['command']>(question: AskedOf<Name>) => Promise<CommandAnswers[Name]>
  nowMs: () => Promise<number>
  /** The folders in which the agent works. */
  folders: () => Promise<string[]>
  outlet: Outlet
}

interface Tool<Schema extends z.ZodObject> {
  title: string
  description: string
  schema: Schema
  answer: (asked: z.output<Schema>, asker: Asker) => Promise<ToolAnswer>
}

/** Callers can ask for more, and an answer includes as many as fit. */
const DEFAULT_ROWS = 10
const DEFAULT_HITS = 6
const DEFAULT_COMMANDS = 5
/** Messages read at once: each may contain a megabyte of text. */
const PAGE_MESSAGES = 10
const DEFAULT_BUDGET = 2_000
const MOST_WHY = 3

const keyField = z.string().min(1).max(400)
/** Position in a list that has no cursor of its own. */
const placeField = z
  .string()
  .regex(/^\d{1,9}$/, { message: 'is not the nextCursor of an earlier answer' })
  .optional()
/** As in routes, values out of range are clamped. */
function wholeField(least: number, most: number) {
  return z.coerce
    .number({ message: 'is not a number' })
    .int({ message: 'is not a whole number' })
    .transform((count) => Math.min(Math.max(count, least), most))
}
const rowsField = (most: number) => wholeField(1, 1_000).default(most)

const listSchema = withCheckedCursor(sessionQuerySchema.omit({ days: true }), isListCursor).extend({
  limit: rowsField(DEFAULT_ROWS),
})
const searchSchema = withCheckedCursor(searchQuerySchema, isSearchCursor).extend({
  q: z.string().min(1).overwrite(cutQuery),
  limit: rowsField(DEFAULT_HITS),
  include_running: z.boolean().default(false),
})
const sessionSchema = z.object({ key: keyField, cursor: placeField })
const handoverSchema = z.object({ key: keyField, budget: wholeField(1, 20_000).default(DEFAULT_BUDGET) })
const messagesSchema = messageQuerySchema.omit({ partial: true }).extend({
  key: keyField,
  turn: wholeField(0, Number.MAX_SAFE_INTEGER).optional(),
  cursor: placeField,
  limit: rowsField(20),
  maxText: wholeField(20, 3_000).default(120),
})
const fixSchema = z.object({ error: z.string().min(1).max(20_000), project: z.string().max(400).optional() })
const commandSchema = z.object({
  words: z.string().min(1).max(400),
  project: z.string().max(400).optional(),
  limit: rowsField(DEFAULT_COMMANDS),
})
const usageSchema = usageQuerySchema
  .omit({ format: true })
  .extend({ limit: rowsField(20), cursor: placeField })

const WHOLE = { type: 'integer' }

/** Description of each argument, and its type where the schema, which also accepts text from URLs, does not determine it. */
const ARGUMENTS: Record<string, { description: string; type?: string; minimum?: number; maximum?: number }> =
  {
    key: {
      description: 'A session: its key, its session ID, or the beginning of one (at least 4 characters).',
    },
    q: {
      description:
        'Words of one message, "a phrase", -without, a OR b, begin*, and filters: project:NAME model:NAME tool:NAME status:error file:PATH in:prompt,answer has:diff is:error tokens:>50k cost:>0.10 after:-7d before:2026-01-31.',
    },
    error: {
      description: 'The error as printed: its most specific line, or everything. Numbers may differ.',
    },
    words: { description: 'What to find: a program, its subcommand, words of the command ("npm test").' },
    mode: { description: 'words (default), substring (exact text) or regex.' },
    sort: { description: 'The order of rows; list_sessions: prefix with - to reverse.' },
    project: { description: 'Only this project: its key, name, path, or a part of one.' },
    model: { description: 'Only sessions with this model.' },
    kind: {
      description:
        'Kind of session: main (default), subagent, checkpoint, prompts-only, empty (no messages) or all.',
    },
    empty: { description: 'exclude: leave out sessions without messages.' },
    parent: { description: 'Only sub-agents that the session with this key started.' },
    home: { description: 'Only sessions of this Gemini folder.' },
    source: { description: 'Only sessions that this program recorded.' },
    title: { description: 'Only sessions whose title or first prompt contains this.' },
    starred: { description: 'true: only sessions that the user starred; false: only the others.' },
    tag: { description: 'Only sessions that the user tagged with this.' },
    has: {
      description: 'errors: only sessions where something failed; live: only sessions being written now.',
    },
    in: {
      description:
        'Where to search: prompt, answer, thought, tool-args, tool-output, notice, attachment, title; commas mean any of.',
    },
    tool: {
      description:
        'Only calls of this tool; commas mean any of. list_sessions: only sessions that called it.',
    },
    attachments: {
      description: 'true: only sessions with attached files or pictures; false: only the others.',
    },
    status: { description: 'Only calls with this status: success, error, cancelled.' },
    is: { description: 'error, live, subagent or superseded.' },
    include_running: {
      description:
        'true: also hits in the session that is running in this folder, and in answers of gemini-dash tools.',
    },
    from: {
      description:
        'From this day (2026-01-31), time, span (7d: today and the six days before; 12h) or word (yesterday, monday) on.',
    },
    to: { description: 'Up to this day, time, span or word (not included).' },
    tz: { description: 'Time zone of days and bare dates, e.g. Europe/Vienna.' },
    by: { description: 'What to group rows by.' },
    split: { description: 'With by day, week or month: each of them by model or by project.' },
    order: { description: 'tokens: the rows with most tokens first.' },
    turn: {
      description: 'Only this turn (1-based): a prompt and everything up to the next.',
      ...WHOLE,
      minimum: 0,
    },
    superseded: { description: 'exclude: leave out rewound, compressed or replaced messages.' },
    show: { description: 'Only messages with this: dialogue, errors, edits, shell or thoughts.' },
    around: { description: 'message of a hit, or a message’s key: the answer begins a little before it.' },
    offset: { description: 'Start at this message (0-based).', ...WHOLE, minimum: 0 },
    limit: {
      description: 'At most this many rows; an answer has as many as fit.',
      ...WHOLE,
      minimum: 1,
      maximum: 1000,
    },
    maxText: {
      description: 'Texts are cut at this many tokens and then end with … (default 120).',
      ...WHOLE,
      minimum: 20,
      maximum: 3000,
    },
    budget: {
      description: 'At most this many tokens (default 2000).',
      ...WHOLE,
      minimum: 1,
      maximum: 20000,
    },
    cursor: { description: 'Continue after an answer: its nextCursor.' },
    timeout: {
      description:
        'With mode substring or regex: stop after this many seconds and return what was found (default 10). partial is then not null, and nextCursor continues.',
      ...WHOLE,
      minimum: 1,
      maximum: 600,
    },
  }

export const TOOLS = {
  search_sessions: tool({
    title: 'Search sessions',
    description:
      'Search the text of all recorded Gemini CLI sessions (prompts, answers, thoughts, tool input and output). Returns sessions with their hits, best match first (sort=recent: newest first); more counts further hits with the same text in the session. Filters can be part of q: project:NAME tool:NAME file:PATH is:error in:prompt after:-7d. Continue with get_handover of a session, or get_messages around the message of a hit.',
    schema: searchSchema,
    answer: async ({ include_running: includesRunning, ...asked }, asker) => {
      const forAgent = { folders: includesRunning ? null : await asker.folders() }
      const ask = async (limit: number) => {
        const query = { ...asked, limit }
        return asker.ask<'search'>({ command: 'search', query, forAgent })
      }
      let found = await ask(asked.limit)
      const words = found.result.total > 0 ? null : tellingWords(asked)
      if (words !== null) {
        asked.q = words
        found = await ask(asked.limit)
      }
      refuseUnknown(found.unknownProject)
      const fitting = fittingHits(found, asker.outlet)
      // the hits are the same as before, unless a session has changed in between
      if (fitting < found.result.hits.length) found = await ask(fitting)
      const { total, sessionTotal, coverage, partial, notes, otherwise, nextCursor } = found.result
      return {
        ...(words !== null && { searchedFor: words }),
        ...{ total, sessionTotal },
        sessions: outgoing(foundSessions(found), asker.outlet, HIT_LIMITS),
        leftOut: outgoing(saidLeftOut(found), asker.outlet, HIT_LIMITS),
        ...unread(coverage),
        ...(otherwise && { otherwise: outgoing(otherwise, asker.outlet, HIT_LIMITS) }),
        ...{ partial, notes, nextCursor },
      }
    },
  }),

  find_fix: tool({
    title: 'Find a fix',
    description:
      'How this error was fixed before: if a call failed with it and the same check passed later, the edit or command after which it passed, quoted (old, new), with the steps in between, and how many of those files changed since. Says so if nothing is recorded; nothing is guessed. Continue with get_messages around message of session.',
    schema: fixSchema,
    answer: async (query, { ask, outlet }) => {
      const { fixes, refused, coverage } = await ask<'find-fix'>({ command: 'find-fix', ...query })
      const sent = new AnswerRows(outlet, FIX_LIMITS)
      sent.add(fixes.map(fixRow))
      return { fixes: sent.rows, refused, ...unread(coverage) }
    },
  }),

  find_command: tool({
    title: 'Find a command',
    description:
      'How something was run here: shell commands that ran. First those that begin with these words, then those that worked, then npm test before npm test -- cart, then the newest. Identical lines of a project appear once, with how often they worked and failed, exit code, cwd and the session.',
    schema: commandSchema,
    answer: async (query, { ask, outlet }) => {
      const { commands, refused, coverage } = await ask<'find-command'>({ command: 'find-command', ...query })
      const sent = new AnswerRows(outlet, COMMAND_LIMITS)
      sent.add(commands.map(commandRow))
      return { commands: sent.rows, refused, ...unread(coverage) }
    },
  }),

  list_sessions: tool({
    title: 'List sessions',
    description:
      'List recorded Gemini CLI sessions, newest first: key, title, project, times (UTC), how each ended (verdict), first prompt, tokens, cost. Filter by project, model, time, title or errors.',
    schema: listSchema,
    answer: async (asked, { ask, outlet }) => {
      const page = async (limit: number) => {
        const query = { ...asked, days: 'none' as const, limit }
        const { list, unknownProject } = await ask<'list'>({ command: 'list', query, rows: limit })
        refuseUnknown(unknownProject)
        return list
      }
      const list = await page(asked.limit)
      const sent = new AnswerRows(outlet, SESSION_LIMITS)
      const taken = sent.add(list.sessions.map(sessionRow))
      const { total, coverage, nextCursor } = taken < list.sessions.length ? await page(taken) : list
      return { sessions: sent.rows, total, ...unread(coverage), nextCursor }
    },
  }),

  get_handover: tool({
    title: 'Get a brief',
    description:
      'What another agent needs to continue a session, within a token budget: prompts and decisions, the to-do list, changed files, what still fails and its output, commands that worked, the last exchanges. The best answer to what a session was about, what it left open and what fixed something.',
    schema: handoverSchema,
    answer: async ({ key: keyOrId, budget }, { ask, outlet }) => {
      const redact = outlet.names === null ? 'off' : 'on'
      const query = handoverQuerySchema.parse({ budget, redact })
      const { resolution, handover } = await ask<'handover'>({ command: 'handover', keyOrId, ...query })
      const key = chosenSession(keyOrId, resolution)
      if (handover === null) throw gone(key)
      return handover.text
    },
  }),

  get_session: tool({
    title: 'Get a session',
    description:
      'One session: its row, why it cost what it did (why), and its outline turn by turn (prompt, messages, calls, cost). get_messages reads a turn.',
    schema: sessionSchema,
    answer: async ({ key: keyOrId, cursor }, { ask, outlet }) => {
      const { resolution, detail, why } = await ask<'session'>({ command: 'session', keyOrId })
      const key = chosenSession(keyOrId, resolution)
      if (detail === null) throw gone(key)
      const { session, messageTotal, outline, figures } = detail
      const start = Number(cursor ?? 0)
      const head = {
        session: { ...sessionRow(session), id: session.sessionId, subagents: session.subagentKeys },
        models: session.models?.map(({ name }) => name) ?? null,
        messages: messageTotal,
        calls: figures.failedCalls?.text ?? null,
        why: why?.lines.slice(0, MOST_WHY).map(({ text, shown, advice }) => ({ text, paid: shown, advice })),
      }
      const sent = outgoing(start === 0 ? head : {}, outlet, TURN_LIMITS) as object
      const turns = new AnswerRows(outlet, TURN_LIMITS, sent)
      const next = start + turns.add(outline.slice(start).map(turnRow))
      return { ...sent, turns: turns.rows, nextCursor: following(next, outline.length) }
    },
  }),

  get_messages: tool({
    title: 'Get messages',
    description:
      'Messages of one session in order, with their calls: of one turn (turn), around a hit (around), or from offset on. n is the position of a message. superseded marks messages that were rewound, compressed or replaced. Texts are cut at maxText tokens and then end with …: ask for that message alone (offset, limit 1) with a larger maxText. show=thoughts returns the thoughts.',
    schema: messagesSchema,
    answer: getMessages,
  }),

  get_usage: tool({
    title: 'Get usage',
    description:
      'Tokens and cost at list price of all sessions, by day, week (its Monday), month, hour of the week, model, project, tool or session (with its sub-agents). why, with the first rows: the sessions or projects that cost most, and why.',
    schema: usageSchema,
    answer: async ({ limit, cursor, ...query }, { ask, outlet }) => {
      const { report, unknownProject } = await ask<'usage'>({
        command: 'usage',
        query: { ...query, limit: undefined, format: 'json' },
      })
      refuseUnknown(unknownProject)
      const { rows, total, coverage }: UsageReport = report
      const start = Number(cursor ?? 0)
      const head = cursor === undefined ? { why: outgoing(await whyOf(query, ask), outlet, TURN_LIMITS) } : {}
      const sent = new AnswerRows(outlet, SESSION_LIMITS, head)
      const next = start + sent.add(rows.slice(start, start + limit).map(usageRow))
      const { usage, cost, calls, sessions } = total
      return {
        rows: sent.rows,
        total: { tokens: usage.total, usd: roundUsd(cost.usd), calls, sessions },
        ...head,
        ...unread(coverage),
        nextCursor: following(next, rows.length),
      }
    },
  }),
} as const

export type ToolName = keyof typeof TOOLS

function tool<Schema extends z.ZodObject>({ answer, ...said }: Tool<Schema>) {
  const known = offeredArguments(said.schema)
  return {
    ...said,
    /** @throws CliError in terms of the caller's arguments */
    call: async (args: Record<string, unknown> = {}, asker: Asker): Promise<ToolAnswer> => {
      const stranger = Object.keys(args).find((name) => !known.includes(name))
      if (stranger !== undefined)
        throw new CliError(
          2,
          `There is no argument "${stranger.slice(0, 100)}". Arguments are: ${known.join(', ')}.`,
        )
      const asked = said.schema.safeParse({ ...args, ...(await spanOf(args, asker)) })
      if (!asked.success) throw new CliError(2, wrongArguments(asked.error, known))
      const answered = await answer(asked.data, asker)
      return typeof answered === 'string'
        ? `${RECORDED}\n\n${answered}`
        : { recorded: RECORDED, ...withoutNothing(answered) }
    },
  }
}

/** @throws CliError if the filter matches no project */
function refuseUnknown(project: string | null): void {
  if (project !== null) throw new CliError(2, project)
}

/** `from` and `to` in the form that the command line accepts. */
async function spanOf({ from, to, tz }: Record<string, unknown>, { nowMs }: Asker) {
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  const [first, last] = [text(from), text(to)]
  if (first === undefined && last === undefined) return {}
  return readSpan({ from: first, to: last, tz: text(tz) }, await nowMs(), '')
}

function wrongArguments({ issues }: z.ZodError, known: string[]): string {
  const [issue] = issues
  const name = String(issue?.path[0] ?? 'arguments')
  return `${name}: ${issue?.message ?? 'is not valid'}. Arguments are: ${known.join(', ')}.`
}

function withoutNothing(answer: Record<string, unknown>): Record<string, unknown> {
  const isNothing = (value: unknown) =>
    value === null || value === undefined || (Array.isArray(value) && value.length === 0)
  // includes empty rows, and the fact that there is no next page
  return Object.fromEntries(
    Object.entries(answer).filter(([name, value]) => !isNothing(value) || ALWAYS.has(name)),
  )
}

const ALWAYS: ReadonlySet<string> = new Set([
  'sessions',
  'fixes',
  'commands',
  'messages',
  'turns',
  'rows',
  'nextCursor',
])

/** Sessions in the order of their best hit, each with its hits; equal lines only once. */
function foundSessions({ result, forAgent }: CommandAnswers['search']): object[] {
  const rows = new Map(forAgent?.rows.map((row) => [row.key, sessionRow(row)]))
  const bySession = new Map<string, object[]>()
  for (const { hit, alike } of foldHits(result.hits)) {
    const hits = bySession.get(hit.sessionKey) ?? []
    hits.push(hitRow(hit, alike.length))
    bySession.set(hit.sessionKey, hits)
  }
  return [...bySession].map(([key, hits]) => {
    const { prompt: _, ...row } = rows.get(key) ?? { key, prompt: null }
    return { ...row, hits }
  })
}

/** How many of these hits fit in an answer, at least one. */
function fittingHits(found: CommandAnswers['search'], outlet: Outlet): number {
  const { hits } = found.result
  const isWhole = (count: number) => {
    const answered = foundSessions({ ...found, result: { ...found.result, hits: hits.slice(0, count) } })
    return new AnswerRows(outlet, HIT_LIMITS).add(answered) === answered.length
  }
  let fitting = hits.length
  while (fitting > 1 && !isWhole(fitting)) fitting = Math.floor(fitting / 2)
  return fitting
}

/** What the search left out, as a sentence. */
function saidLeftOut({ forAgent }: CommandAnswers['search']): string | null {
  const { running = null, tools = [] } = forAgent?.leftOut ?? {}
  const parts = [
    ...(running === null ? [] : [`session ${running.key}, which is running in this folder`]),
    ...(tools.length === 0 ? [] : ['messages that called tools of gemini-dash']),
  ]
  return parts.length === 0
    ? null
    : `Left out: ${parts.join(', and ')}. Use include_running: true to include them.`
}

/** Reports that not everything has been read yet. */
function unread({ filesDone, filesTotal }: { filesDone: number; filesTotal: number }) {
  if (filesDone === filesTotal) return {}
  return {
    read: `${filesDone} of ${filesTotal} files have been read so far. Ask again in a few seconds for the rest.`,
  }
}

async function getMessages(
  { key: keyOrId, turn, cursor, maxText, ...query }: z.output<typeof messagesSchema>,
  asker: Asker,
): Promise<ToolAnswer> {
  const rows = new AnswerRows(asker.outlet, { other: maxText })
  const ofTurn = turn === undefined ? null : await turnOf(asker, keyOrId, turn)
  const end = ofTurn?.end ?? Number.POSITIVE_INFINITY
  let start: number | null = ofTurn === null ? null : Number(cursor ?? ofTurn.start)
  let taken = 0
  for (;;) {
    const isFirst = start === null && cursor === undefined
    const offset: number = start === null ? Number(cursor ?? query.offset) : start + taken
    const page = await pageOf(asker, keyOrId, {
      ...query,
      around: isFirst ? query.around : undefined,
      offset,
      limit: Math.max(Math.min(query.limit - taken, PAGE_MESSAGES, end - offset), 0),
    })
    start ??= page.offset
    const first = start + taken
    const answered = page.messages.map((message, at) =>
      messageRow(message, page.positions?.[at] ?? first + at, query.show === 'thoughts'),
    )
    const added = rows.add(answered)
    taken += added
    const isPageWhole = added === page.messages.length && added > 0
    const next = start + taken
    if (isPageWhole && page.nextOffset !== null && next < end && taken < query.limit) continue
    const total = Math.min(page.total ?? next, end)
    return { messages: rows.rows, total: page.total, nextCursor: following(next, total) }
  }
}

/** Offsets of the messages of a turn, `end` exclusive. */
async function turnOf({ ask }: Asker, keyOrId: string, number: number) {
  const { resolution, detail } = await ask<'session'>({ command: 'session', keyOrId })
  const key = chosenSession(keyOrId, resolution)
  if (detail === null) throw gone(key)
  const turn = detail.outline.find((each) => each.number === number)
  const [first, last] = [detail.outline.at(0)?.number ?? 0, detail.outline.at(-1)?.number ?? 0]
  if (turn === undefined)
    throw new CliError(2, `turn: there is no turn ${number}; turns are ${first} to ${last}.`)
  return { start: turn.firstOffset, end: turn.firstOffset + turn.messageCount }
}

/** @throws CliError if there is no such session, or more than one */
async function pageOf({ ask }: Asker, keyOrId: string, page: MessageQuery): Promise<MessagePage> {
  const answer = await ask<'messages'>({ command: 'messages', keyOrId, page })
  const key = chosenSession(keyOrId, answer.resolution)
  if (answer.page === null) throw gone(key)
  return answer.page
}

async function whyOf({ from, to, tz, project }: UsageWhyQuery, ask: Asker['ask']) {
  const query = { from, to, tz, project }
  const { lines } = await ask<'usage-why'>({ command: 'usage-why', query })
  return lines.slice(0, MOST_WHY).map(({ key, name, shown, text }) => ({ key, name, paid: shown, text }))
}

function gone(key: string): CliError {
  return new CliError(1, `The files of session ${key} have just been deleted.`)
}

function following(next: number, total: number): string | null {
  return next < total ? String(next) : null
}

/** A question as words to search for, without those that only a sentence needs; null: there are no others, or it is not a sentence. */
function tellingWords({ q, mode }: Pick<z.output<typeof searchSchema>, 'q' | 'mode'>): string | null {
  if (mode !== 'words' || /["()*]|(?:^|\s)-|\bOR\b/.test(q)) return null
  const said = q.replace(/[?!.,]+(?=\s|$)/g, '').split(/\s+/)
  const telling = said.filter((word) => !SENTENCE_WORD.test(word))
  return telling.length === 0 || telling.length === said.length ? null : telling.join(' ')
}

const SENTENCE_WORD =
  /^(?:how|what|which|where|when|why|who|do|does|did|is|are|was|were|has|have|had|can|could|i|we|you|me|us|my|our|to|in|on|at|of|for|with|by|from|and|the|a|an|here|there|this|that|it|its|last|week|month|today|yesterday|ago|earlier|before|again|fix|fixed|fixes|solve|solved|mend|mended|find|tell|about)$/i

/** The arguments offered to agents: fields without a description belong to the route and are of no use to an agent. */
function offeredArguments(schema: z.ZodObject): string[] {
  return Object.keys(schema.shape).filter((name) => Object.hasOwn(ARGUMENTS, name))
}

/** The offered arguments as JSON Schema, each with a description. */
export function argumentsOf(schema: z.ZodObject) {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const answered = offeredArguments(schema).map((name) => {
    const property = properties[name]
    return [name, { ...(typeof property === 'object' ? property : {}), ...ARGUMENTS[name] }]
  })
  return {
    type: 'object' as const,
    properties: Object.fromEntries(answered),
    required,
    additionalProperties: false,
  }
}
