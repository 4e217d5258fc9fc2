import {
  type MessagePage,
  type MessageQuery,
  messageQuerySchema,
  searchQuerySchema,
  sessionQuerySchema,
  type UsageReport,
  usageQuerySchema,
} from '@gemini-dash/api'
import { z } from 'zod'
import { chosenSession } from '../commands/show.ts'
import { CliError } from '../terminal/cli-error.ts'
import { AnswerRows, type Outlet, outgoing, RECORDED } from './bounded-answer.ts'
import type { SessionSource } from './session-source.ts'

/** What a tool answers with: an object of JSON. */
type ToolAnswer = Record<string, unknown>

interface Tool<Schema extends z.ZodObject> {
  title: string
  description: string
  schema: Schema
  answer: (asked: z.output<Schema>, source: SessionSource, outlet: Outlet) => Promise<ToolAnswer>
}

/** Of rows of sessions, hits and messages; more can be asked for, and an answer holds as many as fit. */
const DEFAULT_ROWS = 20
/** Messages that are read at once: each may hold a megabyte of text. */
const PAGE_MESSAGES = 10
const MAX_TEXT = 50_000

const keyField = z.string().min(1).max(400)
/** Places in a list that has no cursor of its own. */
const placeField = z
  .string()
  .regex(/^\d{1,9}$/, { message: 'is not a nextCursor of an answer before' })
  .optional()

const listSchema = sessionQuerySchema
  .omit({ days: true, hour: true })
  .extend({ limit: rowLimit(DEFAULT_ROWS) })
const searchSchema = searchQuerySchema.extend({
  q: z.string().min(1).max(1024),
  limit: rowLimit(DEFAULT_ROWS),
})
const sessionSchema = z.object({ key: keyField, cursor: placeField })
const messagesSchema = messageQuerySchema.omit({ partial: true }).extend({
  key: keyField,
  cursor: placeField,
  limit: rowLimit(DEFAULT_ROWS),
  maxText: z.coerce
    .number()
    .int()
    .transform((length) => Math.min(Math.max(length, 200), MAX_TEXT))
    .default(2_000),
})
const usageSchema = usageQuerySchema
  .omit({ format: true })
  .extend({ limit: rowLimit(100), cursor: placeField })

/** As routes take it: out of range is clamped. */
function rowLimit(most: number) {
  return z.coerce
    .number()
    .int()
    .transform((limit) => Math.min(Math.max(limit, 1), 1_000))
    .default(most)
}

/** Which of a row's figures are the session's. */
const FIGURES =
  'withSubagents has the figures of a session: tokens, cost, tool calls and failures, sub-agents included. usage, cost, recorded and failures beside it are its own share.'

export const TOOLS = {
  search_sessions: tool({
    title: 'Search sessions',
    description:
      'Search the text of all recorded Gemini CLI sessions (prompts, answers, thoughts, tool input and output). Answers hits with snippets, newest first, and the sessions they are in. Filters can stand in q: project:NAME tool:NAME file:PATH is:error in:prompt after:-7d.',
    schema: searchSchema,
    answer: async (asked, source, outlet) => {
      const {
        hits,
        sessions,
        total,
        messageTotal,
        sessionTotal,
        coverage,
        partial,
        notes,
        nextCursor,
        sent,
      } = await paged(asked.limit, outlet, async (limit) => {
        const result = await source.ask<'search'>({ command: 'search', query: { ...asked, limit } })
        return { ...result, rows: result.hits }
      })
      const named = new Set(hits.slice(0, sent.length).map(({ sessionKey }) => sessionKey))
      const told = Object.entries(sessions).filter(([key]) => named.has(key))
      return {
        ...{ total, messageTotal, sessionTotal, hits: sent },
        sessions: outgoing(Object.fromEntries(told), outlet),
        ...{ coverage, partial, notes, nextCursor },
      }
    },
  }),

  list_sessions: tool({
    title: 'List sessions',
    description: `List recorded Gemini CLI sessions, newest first: key, project, title, times, models, figures, how each ended. Filter by project, model, time, title or errors. ${FIGURES}`,
    schema: listSchema,
    answer: async (asked, source, outlet) => {
      const { total, coverage, nextCursor, sent } = await paged(asked.limit, outlet, async (limit) => {
        const query = { ...asked, days: 'none' as const, limit }
        const { list } = await source.ask<'list'>({ command: 'list', query, rows: limit })
        return { ...list, rows: list.sessions }
      })
      return { sessions: sent, total, coverage, nextCursor }
    },
  }),

  get_session: tool({
    title: 'Get a session',
    description: `One session: its row, and its outline turn by turn (prompt, messages, calls, cost). offset of get_messages leads to a turn: its firstOffset. ${FIGURES}`,
    schema: sessionSchema,
    answer: async ({ key: keyOrId, cursor }, source, outlet) => {
      const { resolution, detail } = await source.ask<'session'>({ command: 'session', keyOrId })
      const key = chosenSession(keyOrId, resolution)
      if (detail === null) throw new CliError(1, `The files of session ${key} have just been deleted.`)
      const { session, segments, messageTotal, outline, figures } = detail
      const head = outgoing({ session, messageTotal, segments, figures }, outlet) as ToolAnswer
      const start = Number(cursor ?? 0)
      const turns = new AnswerRows(outlet, head)
      const next = start + turns.add(outline.slice(start))
      return { ...head, outline: turns.rows, nextCursor: following(next, outline.length) }
    },
  }),

  get_messages: tool({
    title: 'Get messages',
    description:
      'Messages of one session in order, with thoughts and tool calls. superseded marks what was taken back or replaced. Long texts are cut at maxText characters, and say so: ask for that message alone (offset, limit 1) with a larger maxText.',
    schema: messagesSchema,
    answer: async ({ key: keyOrId, cursor, maxText, ...query }, source, outlet) => {
      const messages = new AnswerRows({ ...outlet, maxText })
      const positions: number[] = []
      let start: number | null = null
      for (;;) {
        const taken = messages.rows.length
        const isFirst = start === null && cursor === undefined
        const page = await pageOf(source, keyOrId, {
          ...query,
          around: isFirst ? query.around : undefined,
          offset: start === null ? Number(cursor ?? query.offset) : start + taken,
          limit: Math.min(query.limit - taken, PAGE_MESSAGES),
        })
        start ??= page.offset
        const added = messages.add(page.messages)
        positions.push(...(page.positions?.slice(0, added) ?? []))
        const next = start + messages.rows.length
        if (added === page.messages.length && page.nextOffset !== null && next - start < query.limit) continue
        const nextCursor = following(next, page.total ?? next)
        return {
          messages: messages.rows,
          offset: start,
          total: page.total,
          nextOffset: nextCursor === null ? null : next,
          ...(query.show === undefined ? {} : { positions }),
          nextCursor,
        }
      }
    },
  }),

  get_usage: tool({
    title: 'Get usage',
    description:
      'Tokens and cost at list price of all sessions, by day, hour of the week, model, project, tool or session. A session’s row has its sub-agents in it; own is its share without them.',
    schema: usageSchema,
    answer: async ({ limit, cursor, ...query }, source, outlet) => {
      const { report } = await source.ask<'usage'>({
        command: 'usage',
        query: { ...query, limit: undefined, format: 'json' },
      })
      const { rows, total, coverage }: UsageReport = report
      const start = Number(cursor ?? 0)
      const sent = new AnswerRows(outlet)
      const next = start + sent.add(rows.slice(start, start + limit))
      return { rows: sent.rows, total, coverage, nextCursor: following(next, rows.length) }
    },
  }),
} as const

export type ToolName = keyof typeof TOOLS

function tool<Schema extends z.ZodObject>({ answer, ...said }: Tool<Schema>) {
  return {
    ...said,
    /** @throws CliError in words of the caller's arguments */
    call: async (args: unknown, source: SessionSource, outlet: Outlet): Promise<ToolAnswer> => {
      const asked = said.schema.safeParse(args ?? {})
      if (!asked.success) throw new CliError(2, wrongArguments(asked.error, Object.keys(said.schema.shape)))
      return { recorded: RECORDED, ...(await answer(asked.data, source, outlet)) }
    },
  }
}

function wrongArguments({ issues }: z.ZodError, known: string[]): string {
  const [issue] = issues
  const name = String(issue?.path[0] ?? 'arguments')
  return `${name}: ${issue?.message ?? 'is not valid'}. Arguments are: ${known.join(', ')}.`
}

/** The same question with a smaller limit, where not all rows fit: so its cursor goes on behind the last that is sent. */
async function paged<Page extends { rows: readonly unknown[] }>(
  limit: number,
  outlet: Outlet,
  ask: (limit: number) => Promise<Page>,
): Promise<Page & { sent: unknown[] }> {
  const page = await ask(limit)
  const sent = new AnswerRows(outlet)
  const taken = sent.add(page.rows)
  if (taken === page.rows.length) return { ...page, sent: sent.rows }
  // the rows are those of before, unless a session has changed in between
  const fewer = await ask(taken)
  return { ...fewer, sent: fewer.rows.map((row) => outgoing(row, outlet)) }
}

/** @throws CliError where there is no such session, or several */
async function pageOf(source: SessionSource, keyOrId: string, page: MessageQuery): Promise<MessagePage> {
  const answer = await source.ask<'messages'>({ command: 'messages', keyOrId, page })
  const key = chosenSession(keyOrId, answer.resolution)
  if (answer.page === null) throw new CliError(1, `The files of session ${key} have just been deleted.`)
  return answer.page
}

function following(next: number, total: number): string | null {
  return next < total ? String(next) : null
}
