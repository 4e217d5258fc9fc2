import { request } from 'node:http'
import type { Plugin } from 'vite'
import type { TestProject } from 'vitest/node'

/** Forwards the page's requests in tests from the server of its modules to the program. */
export function askProgram(): Plugin {
  let project: TestProject | undefined
  return {
    name: 'ask-program',
    configureVitest(context) {
      project = context.project
    },
    configureServer(server) {
      server.middlewares.use('/api', (asked, answer) => {
        // as if sent by a page of the program itself
        const { host, origin, referer, ...headers } = asked.headers
        const target = `${project?.getProvidedContext().origin}${asked.originalUrl}`
        const forwarded = request(target, { method: asked.method ?? 'GET', headers }, (response) => {
          answer.writeHead(response.statusCode ?? 502, response.headers)
          response.pipe(answer)
        })
        forwarded.on('error', () => answer.destroy())
        answer.on('close', () => forwarded.destroy())
        asked.pipe(forwarded)
      })
    },
  }
}
