import { setMaxListeners } from 'node:events'
import { PassThrough } from 'node:stream'
import {
  QUESTIONS,
  type Question,
  type QuestionAnswer,
  type QuestionParameters,
  questions,
} from '@gemini-dash/api'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { HomeJournal } from '../../home-writes/home-journal.ts'
import type { Keeper } from '../../keep/keeper.ts'
import type { OwnMarks } from '../../own-data/open-marks.ts'
import type { OwnSettings } from '../../settings.ts'
import { sessionsToExport } from '../../store/command-question.ts'
import { installedCli } from '../../store/installed-cli.ts'
import { ownShell } from '../../store/quote-for-shell.ts'
import type { Store } from '../../store/store.ts'
import { usageCsv } from '../../store/usage/usage-csv.ts'
import { done, found, foundSession, sendTable, sendWritten, withVersion } from '../replies.ts'
import { askedOf, reviewOf } from './export.ts'

/** What the answers are computed from. */
export interface QuestionParts {
  store: Store
  keeper: Keeper
  marks: OwnMarks
  settings: OwnSettings
  /** null: nothing is stored on disk. */
  dataFolder: string | null
}

interface Asked<Q extends Question> extends QuestionParts {
  parameters: QuestionParameters<Q>
  request: FastifyRequest
  reply: FastifyReply
}

/** A reply if it is not JSON, or already serialized. */
type Given<Q extends Question> = QuestionAnswer<Q> | FastifyReply

/** A route for every question in `QUESTIONS`. */
export const questionRoutes: FastifyPluginAsyncZod<QuestionParts> = async (app, parts) => {
  for (const question of questions) {
    const schema = schemasOf(question, QUESTIONS[question].parameters)
    const answer = ANSWERS[question] as (asked: Asked<never>) => unknown
    app.get(`/api/${question}`, { schema }, async (request, reply) => {
      const parameters = { ...request.params, ...request.query } as never
      return answer({ ...parts, parameters, request, reply })
    })
  }
}

/** Schemas of the path parameters, and of the query string. */
export function schemasOf(
  address: string,
  parameters: z.ZodObject,
): { params: z.ZodObject; querystring: z.ZodObject } {
  const named = [...address.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const fields = (isNamed: boolean) =>
    Object.fromEntries(Object.entries(parameters.shape).filter(([name]) => named.includes(name) === isNamed))
  return { params: z.object(fields(true)), querystring: z.object(fields(false)) }
}

/** The implementation of each question in `QUESTIONS`. */
const ANSWERS: { readonly [Q in Question]: (asked: Asked<Q>) => Given<Q> | Promise<Given<Q>> } = {
  health: ({ store }) => store.health(),
  projects: ({ store }) => store.projects(),
  sessions: ({ store, parameters }) => store.sessions(parameters),
  'sessions/:key': async ({ store, parameters, reply }) => {
    const key = foundSession(store, parameters.key)
    if (parameters.outline === 'turns') return found(await store.content.session(key), 'session')
    return sendWritten(found(await store.content.writtenSession(key), 'session'), reply)
  },
  'sessions/:key/resume': ({ store, parameters: { key, shell, at } }) =>
    found(store.resume(foundSession(store, key), shell ?? ownShell(), installedCli(), at), 'session'),
  'sessions/:key/export/review': async ({ store, parameters: { key, ...how } }) =>
    found(await reviewOf(store, foundSession(store, key), how), 'session'),
  'export/sessions': async ({ store, parameters }) => {
    const sessions = await sessionsToExport(store, askedOf(parameters))
    return { sessions: sessions.map(({ key, title }) => ({ key, title })) }
  },
  search: ({ store, parameters, request, reply }) => search(store, parameters, request, reply),
  'search/suggest': ({ store, parameters }) => store.suggest(parameters),
  usage: ({ store, parameters, reply }) => {
    const report = store.usage(parameters)
    if (parameters.format !== 'csv') return report
    return sendTable(reply, `gemini-usage-by-${parameters.by}.csv`, usageCsv(report, parameters))
  },
  'usage/why': ({ store, parameters }) => store.usageWhy(parameters),
  budgets: ({ store, parameters }) => store.budgets(parameters),
  marks: ({ store, parameters: { session } }) => {
    const marks = store.marks()
    if (session === undefined) return { marks: Object.fromEntries(marks) }
    // a missing session has no marks: a page may still ask while its session is being forgotten
    const key = store.resolve(session).kind === 'none' ? session : foundSession(store, session)
    const mark = marks.get(key)
    return { marks: mark === undefined ? {} : { [key]: mark } }
  },
  views: ({ marks }) => ({ views: marks.views.read() }),
  doctor: ({ store }) => store.doctor(),
  'doctor/notes': ({ store }) => store.doctorNotes(),
  report: async ({ store, keeper }) => {
    // The redaction module is slow to load and rarely needed.
    const { healthReport } = await import('../../redaction/health-report.ts')
    // without paths, names and titles, as it is meant to be shared
    return {
      text: healthReport({
        health: store.health(),
        doctor: await store.doctor(),
        projects: store.projects().projects,
        keep: await keeper.status(),
      }),
    }
  },
  journal: ({ dataFolder }) => {
    const entries = dataFolder === null ? [] : new HomeJournal(dataFolder).entries()
    return {
      entries: entries.toReversed().map(({ files, folders: _, of: __, isBeingRemoved: ___, ...entry }) => ({
        ...entry,
        files: files.map(({ parts: names, ...file }) => ({ path: names.join('/'), ...file })),
      })),
    }
  },
  keep: ({ keeper }) => done(keeper.status()),
  settings: ({ settings }) => settings.read(),
}

/** As lines if the client wants them; aborted when the client disconnects. */
async function search(
  store: Store,
  query: QuestionParameters<'search'>,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): Promise<Given<'search'>> {
  const left = whenLeft(reply)
  reply.header('Vary', 'Accept')
  try {
    if (!wantsLines(headers.accept)) return await store.search(query, { signal: left })
    return await sendLines(reply, (onPartial) => store.search(query, { signal: left, onPartial }))
  } catch (error) {
    if (!left.aborted) throw error
    return reply.hijack()
  }
}

/** Typing on starts a new search; an abandoned search would only delay the next one. */
function whenLeft(reply: FastifyReply): AbortSignal {
  const left = new AbortController()
  // One listener per shard for the search and for each of its facets: more than Node.js's leak warning allows.
  setMaxListeners(0, left.signal)
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) left.abort()
  })
  return left.signal
}

const LINES_TYPE = 'application/x-ndjson'

/**
 * Sends a growing answer as lines of JSON: partial ones in between, the complete one last, in the same form as a single JSON response. An
 * error before the first line is sent as an error response; a later one closes the connection.
 */
async function sendLines<Answer extends object>(
  reply: FastifyReply,
  make: (onPartial: (partial: Answer) => void) => Promise<Answer>,
): Promise<FastifyReply> {
  const lines = new PassThrough()
  let isBegun = false
  const write = (answer: Answer) => {
    if (!isBegun) void reply.type(LINES_TYPE).send(lines)
    isBegun = true
    lines.write(`${JSON.stringify(withVersion(answer))}\n`)
  }
  try {
    // Skips partial answers for a reader that is behind.
    const answer = await make((partial) => !lines.writableNeedDrain && write(partial))
    write(answer)
    lines.end()
  } catch (error) {
    if (!isBegun) throw error
    lines.destroy(error instanceof Error ? error : new Error(String(error)))
  }
  return reply
}

/** Whether the client prefers lines to a single JSON text. */
function wantsLines(accept: string | undefined): boolean {
  return accept?.split(',').some((type) => type.split(';')[0]?.trim() === LINES_TYPE) === true
}
