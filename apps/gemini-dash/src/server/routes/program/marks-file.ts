import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { takeInContent, writeMarks } from '../../../own-data/marks/mark-transfer.ts'
import type { OwnMarks } from '../../../own-data/marks/open-marks.ts'
import { ApiFailure } from '../../contract/api-failure.ts'
import { bodyLimitOf } from '../../contract/route-table.ts'

const PATH = '/api/marks/file'

/** Everything that the user marked and named, as the file that `marks export` writes and `marks import` takes in. */
export const marksFileRoutes: FastifyPluginAsyncZod<{ marks: OwnMarks }> = async (app, { marks }) => {
  app.get(PATH, (_request, reply) =>
    reply
      .type('application/json; charset=utf-8')
      .header('Content-Disposition', 'attachment; filename="gemini-dash-marks.json"')
      .send(writeMarks(marks)),
  )

  app.put(PATH, { bodyLimit: bodyLimitOf(PATH), schema: { body: z.unknown() } }, ({ body }) => {
    try {
      return takeInContent(marks, body)
    } catch (error) {
      const reason = error instanceof Error ? error.message.replace(/\.$/, '') : String(error)
      throw new ApiFailure('bad-request', `The file could not be taken in: ${reason}.`)
    }
  })
}
