import type { Server, ServerResponse } from 'node:http'
import { ApiFailure } from '../contract/api-failure.ts'
import { FOREIGN_HOST } from './host-guard.ts'
import { isForThisServer } from './is-for-this-server.ts'
import { refusalText } from './refusal-text.ts'

/** Node answers `Expect` by itself, before any guard, with neither our headers nor an end of the connection. */
export function answerExpectations(server: Server, names: string[]): void {
  server.on('checkExpectation', (request, response: ServerResponse) => {
    const failure = isForThisServer(request, names)
      ? new ApiFailure('bad-request', 'What the request expects is not offered here.', { status: 417 })
      : new ApiFailure('forbidden', FOREIGN_HOST)
    const { headers, body } = refusalText(failure)
    response.writeHead(failure.status, headers).end(body)
  })
  server.on('checkContinue', (request, response: ServerResponse) => {
    // a foreign host sends its body for nothing
    if (isForThisServer(request, names)) response.writeContinue()
    server.emit('request', request, response)
  })
}
