import { Readable } from 'node:stream'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { answerCommand, commandQuestionSchema } from '../../store/command-question.ts'
import type { Store } from '../../store/store.ts'
import { ApiFailure } from '../contract/api-failure.ts'

/**
 * What a command asks instead of reading cache and files for itself: looks at the disk first, and answers what the command
 * would have found. In lines of JSON, since the messages of a long session are more than one text can hold.
 */
export const commandRoutes: FastifyPluginAsyncZod<{ store: Store }> = async (app, { store }) => {
  app.post('/api/command', { schema: { body: commandQuestionSchema } }, async ({ body }, reply) => {
    const asCommand = await store.asCommand()
    if (asCommand === null) throw new ApiFailure('unavailable', 'A command would answer this otherwise.')
    const answer = await answerCommand(asCommand, body)
    return reply.type('application/x-ndjson').send(Readable.from(linesOf(answer), { objectMode: false }))
  })
}

/** The answer without its messages, and then each of them. */
function* linesOf(answer: object): IterableIterator<string> {
  const messages: unknown[] = 'messages' in answer && Array.isArray(answer.messages) ? answer.messages : []
  yield `${JSON.stringify('messages' in answer ? { ...answer, messages: messages.length } : answer)}\n`
  for (const message of messages) yield `${JSON.stringify(message)}\n`
}
