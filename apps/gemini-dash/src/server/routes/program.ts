import { setTimeout as pause } from 'node:timers/promises'
import { cacheClearSchema, openFileQuerySchema, settingsChangeSchema } from '@gemini-dash/api'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type AddedFiles, describeAdded } from '../../keep/add-opened.ts'
import { takeInContent, writeMarks } from '../../own-data/mark-transfer.ts'
import type { OwnMarks } from '../../own-data/open-marks.ts'
import { reasonOf } from '../../own-data/own-file.ts'
import type { OwnSettings } from '../../settings.ts'
import type { OwnCache } from '../../store/cache.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { ApiFailure, bodyLimitOf } from '../contract.ts'
import type { ChangeFeed } from '../events.ts'
import { keptOrRefused } from '../replies.ts'

const PATH = '/api/open'

const closingSchema = z.strictObject({ close: z.literal(true) })
const addingSchema = z.strictObject({ add: z.literal(true) })

export interface OpenedFileStore {
  /**
   * Returns where it is shown: the port, and the path with the code that signs a browser in.
   * @throws CliError if it is not something that can be shown
   */
  open: (sent: { name: string; bytes: Buffer; modifiedMs: number }) => Promise<{ port: number; path: string }>
  /** Removes all of it after this response; returns where it was opened from. */
  close: () => Promise<{ port: number; path: string }>
  /** Adds a copy of everything opened to the archive. @throws on failure */
  add: () => Promise<AddedFiles>
}

export interface OpenedRouteParts {
  /** Without `open` and `close` the files were named on the command line. null: nothing is opened from this page. */
  openedFiles: (Partial<OpenedFileStore> & Pick<OpenedFileStore, 'add'>) | null
}

/**
 * Shows a session file sent by a browser apart from the history, on a separate port of the same machine; adds it to the archive; closes it.
 */
export const openedRoutes: FastifyPluginAsyncZod<OpenedRouteParts> = async (app, { openedFiles }) => {
  app.addContentTypeParser(
    'application/octet-stream',
    { parseAs: 'buffer', bodyLimit: bodyLimitOf(PATH) },
    async (_request: unknown, body: unknown) => body,
  )
  app.post(PATH, { bodyLimit: bodyLimitOf(PATH), schema: { body: z.unknown() } }, async (request) => {
    const { body, headers, query } = request
    if (openedFiles !== null && addingSchema.safeParse(body).success) return add(openedFiles)
    const { open, close } = openedFiles ?? {}
    if (open === undefined || close === undefined)
      throw new ApiFailure(
        'not-found',
        'Files can’t be opened or closed here. In a terminal: gemini-dash open PATH',
      )
    // the name by which the browser addresses this machine; the guard has accepted it
    const host = (headers.host ?? '127.0.0.1').replace(/:\d+$/, '')
    const place = Buffer.isBuffer(body) ? openSent(open, body, query) : closeOpened(close, body)
    const { port, path } = await place
    return { url: `http://${host}:${port}${path}` }
  })
}

async function openSent(open: OpenedFileStore['open'], bytes: Buffer, query: unknown) {
  const asked = openFileQuerySchema.safeParse(query)
  if (!asked.success)
    throw new ApiFailure('bad-request', 'Name the file (“name”), with at most 255 characters.')
  const { name, modified = Date.now() } = asked.data
  try {
    return await open({ name, bytes, modifiedMs: modified })
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    throw new ApiFailure('bad-request', [error.message, error.hint].filter((part) => part !== null).join(' '))
  }
}

async function add(openedFiles: Pick<OpenedFileStore, 'add'>) {
  try {
    const added = await openedFiles.add()
    return { ...added, text: describeAdded(added) }
  } catch (error) {
    throw new ApiFailure('unavailable', `A copy could not be added: ${reasonOf(error)}.`)
  }
}

async function closeOpened(close: OpenedFileStore['close'], body: unknown) {
  if (closingSchema.safeParse(body).success) return close()
  throw new ApiFailure(
    'bad-request',
    'A file is sent as application/octet-stream, added to the archive with {"add":true}, and closed with {"close":true}.',
  )
}

const MARKS_FILE_PATH = '/api/marks/file'

/** Everything the user marked and named, in the format of `marks export` and `marks import`. */
export const marksFileRoutes: FastifyPluginAsyncZod<{ marks: OwnMarks }> = async (app, { marks }) => {
  app.get(MARKS_FILE_PATH, (_request, reply) =>
    reply
      .type('application/json; charset=utf-8')
      .header('Content-Disposition', 'attachment; filename="gemini-dash-marks.json"')
      .send(writeMarks(marks)),
  )

  app.put(
    MARKS_FILE_PATH,
    { bodyLimit: bodyLimitOf(MARKS_FILE_PATH), schema: { body: z.unknown() } },
    ({ body }) => {
      try {
        return takeInContent(marks, body)
      } catch (error) {
        throw new ApiFailure('bad-request', `The file could not be received: ${reasonOf(error)}.`)
      }
    },
  )
}

const bodySchema = z.strictObject({}).optional()

/** `openSample` null: this is the sample. */
export interface SampleRouteParts {
  openSample: (() => Promise<{ port: number; code: string | null }>) | null
}

/** Shows the sample sessions besides the user's own, on a separate port of the same machine. */
export const sampleRoutes: FastifyPluginAsyncZod<SampleRouteParts> = async (app, { openSample }) => {
  app.post('/api/sample', { schema: { body: bodySchema } }, async ({ headers }) => {
    if (openSample === null) throw new ApiFailure('not-found', 'This is already the sample data.')
    try {
      const { port, code } = await openSample()
      // the name by which the browser addresses this machine; the guard has accepted it
      const host = (headers.host ?? '127.0.0.1').replace(/:\d+$/, '')
      return { url: `http://${host}:${port}/${code === null ? '' : `?code=${code}`}` }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new ApiFailure('unavailable', `The sample could not be opened: ${reason}`)
    }
  })
}

/** How long a price change waits for new costs, which is enough for small homes; for larger ones `coverage` reports the progress. */
const REPRICED_MS = 2_000

interface SettingsRouteParts {
  settings: OwnSettings
  cache: OwnCache
  feed: ChangeFeed
  /** Recomputes costs after a price change. */
  lookAgain: () => Promise<void>
}

export const settingsRoutes: FastifyPluginAsyncZod<SettingsRouteParts> = async (app, parts) => {
  const { settings, cache, feed, lookAgain } = parts

  app.put('/api/settings', { schema: { body: settingsChangeSchema } }, async ({ body }) => {
    const isRepriced = keptOrRefused(() => settings.change(body))
    if (isRepriced) await Promise.race([lookAgain(), pause(REPRICED_MS, undefined, { ref: false })])
    // every page shows the labels of homes and the plan
    feed.tell({ kind: 'projects' })
    return settings.read()
  })

  app.post(
    '/api/cache/clear',
    { schema: { body: cacheClearSchema.default({ of: 'all' }) } },
    async ({ body }) => {
      try {
        return await cache.clear(body.of)
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        throw new ApiFailure('unavailable', `The cache could not be cleared: ${reason}.`)
      }
    },
  )
}
