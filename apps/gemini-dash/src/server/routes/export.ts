import { Readable } from 'node:stream'
import {
  type ExportFormat,
  type ExportQuery,
  type ExportReview,
  type ExportReviewQuery,
  type ExportSeveralQuery,
  exportQuerySchema,
  exportSeveralQuerySchema,
  isRedactedByDefault,
} from '@gemini-dash/api'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { exportName, zipPieces } from '../../export/export-name.ts'
import { ownNames } from '../../redaction/own-names.ts'
import { type ExportRequest, sessionsToExport } from '../../store/command-question.ts'
import { type ExportedFile, type ExportHow, exportedFiles } from '../../store/session/exported-files.ts'
import type { Store } from '../../store/store.ts'
import { ownZone } from '../../store/times.ts'
import { VERSION } from '../../terminal/terminal.ts'
import { ApiFailure } from '../contract.ts'
import { found, foundSession } from '../replies.ts'

const params = z.object({ key: z.string() })

const TYPES: Readonly<Record<ExportFormat, string>> = {
  markdown: 'text/markdown; charset=utf-8',
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
  vac: 'application/json; charset=utf-8',
  raw: 'application/octet-stream',
}

/** Exports a session, redacted on the way. Streamed while it is written: a client that disconnects stops it. */
export const exportRoutes: FastifyPluginAsyncZod<{ store: Store }> = async (app, { store }) => {
  app.get(
    '/api/sessions/:key/export',
    { schema: { params, querystring: exportQuerySchema } },
    async ({ params: { key: asked }, query }, reply) => {
      const key = foundSession(store, asked)
      const { session } = found(await store.content.session(key), 'session')
      // exactly one file is requested
      const how = { ...wayOf(query), isBesideAllowed: false }
      const name = exportName(session, how.redaction)
      const files = [...exportedFiles(store.content, [session], how).values()].flat()
      const [file] = files
      const isZip = files.length !== 1 || file === undefined
      const pieces = isZip ? zipPieces(files) : file.pieces()
      const fileName = isZip ? `${name}.zip` : file.name
      return reply
        .type(isZip ? 'application/zip' : TYPES[query.format])
        .header('Content-Disposition', disposition(fileName))
        .header('Content-Security-Policy', "default-src 'none'; sandbox")
        .send(Readable.from(pieces, { objectMode: false }))
    },
  )

  app.get('/api/export', { schema: { querystring: exportSeveralQuerySchema } }, async ({ query }, reply) => {
    const how = wayOf(query)
    const sessions = await sessionsToExport(store, askedOf(query))
    if (sessions.length === 0) throw new ApiFailure('not-found', 'No session matches.')
    const files = [...exportedFiles(store.content, sessions, how).values()].flat()
    return reply
      .type('application/zip')
      .header('Content-Disposition', disposition(`gemini-sessions-${sessions.length}.zip`))
      .send(Readable.from(zipPieces(await withBeside(files)), { objectMode: false }))
  })
}

/** What an export of the session would redact; null if there is no such session. */
export async function reviewOf(
  store: Store,
  key: string,
  { format, depth }: ExportReviewQuery,
): Promise<ExportReview | null> {
  if (format === 'raw') return { changes: [], leftOut: [] }
  return store.content.exports.review(key, {
    format,
    depth,
    redaction: { ...ownNames(), keep: [] },
    version: VERSION,
    zone: ownZone(),
    pictureFolder: null,
  })
}

async function withBeside(files: readonly ExportedFile[]): Promise<ExportedFile[]> {
  const all: ExportedFile[] = []
  for (const file of files) {
    all.push(file)
    for await (const beside of file.beside()) all.push(beside)
  }
  return all
}

/** A project alone selects all of its sessions; together with other filters it is one of them. */
export function askedOf({ keys, format, depth, redact, keep, ...search }: ExportSeveralQuery): ExportRequest {
  const form = { format, depth }
  if (keys !== undefined) return { keys: keys.split(','), project: null, search: null, form }
  const { project, tz, mode, q, ...filters } = search
  const isSearch = q !== '' || Object.values(filters).some((filter) => filter !== undefined)
  if (!isSearch && project === undefined)
    throw new ApiFailure('bad-request', 'Which sessions? Give keys, a project or a query.')
  return isSearch
    ? { keys: [], project: null, search: { ...search, sort: 'recent' }, form }
    : { keys: [], project: project ?? null, search: null, form }
}

/** @throws if raw files are to be redacted */
function wayOf({ format, depth, redact, keep, tz }: ExportQuery): ExportHow {
  const isRedacted = redact === undefined ? isRedactedByDefault(format) : redact === 'on'
  if (format === 'raw' && isRedacted)
    throw new ApiFailure('bad-request', 'Original files can’t be redacted. Use another format.')
  const kept = keep === undefined || keep === '' ? [] : keep.split(',')
  return {
    format,
    depth,
    redaction: isRedacted ? { ...ownNames(), keep: kept } : null,
    version: VERSION,
    zone: tz ?? ownZone(),
    isBesideAllowed: true,
  }
}

/** The name in ASCII, which every header may contain, and unchanged. */
function disposition(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9._-]/g, '_')
  const encoded = encodeURIComponent(name).replace(
    /['()*!]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
