import type { Socket } from 'node:net'
import type { Warning } from '@gemini-dash/api'
import plugin from 'fastify-plugin'
import { ApiFailure } from '../contract/api-failure.ts'
import { refusalBytes } from './refusal-text.ts'

const MAX_CONNECTIONS = 100
/** A connection has so long to send its first request before another one may take its place. */
const GRACE_MS = 1_000
/** A refused client has so long to read the answer. */
const LINGER_MS = 1_000
/** So long after the last refusal it is still reported. */
const TOLD_MS = 60_000

const WARNING: Warning = {
  code: 'connections-full',
  message: `All ${MAX_CONNECTIONS} connections to the dashboard were in use, so others were refused (503).`,
  advice: 'Close pages and programs that hold them open, and try again.',
}

const REFUSAL = refusalBytes(
  new ApiFailure('unavailable', 'Too many connections are open. Try again in a moment.'),
  'Service Unavailable',
  { 'Retry-After': '1' },
)

interface Warnings {
  warn(warning: Warning): void
  clear(code: Warning['code']): void
}

interface Use {
  /** It has sent a request that every guard let pass. */
  isAdmitted: boolean
  /** Requests that are being answered. */
  answering: number
  /** Since when nothing has been answered, of `performance.now()`. */
  idleSinceMs: number
}

/**
 * Above the limit, a new connection takes the place of one that is idle: of clients that were never let in, while there are
 * any, so that these shut nobody out. Where none is idle the new one is answered with 503. To be registered after all guards.
 */
export const connectionLimit = plugin(async (app, { warnings }: { warnings: Warnings }) => {
  const open = new Map<Socket, Use>()
  const refused = new Set<Socket>()
  let clearing: NodeJS.Timeout | undefined

  // Node's own listener parses requests: a refused connection never reaches it
  const serve = app.server.listeners('connection')
  app.server.removeAllListeners('connection').on('connection', (socket: Socket) => {
    if (open.size < MAX_CONNECTIONS) return admit(socket)
    // first, what the others have sent meanwhile is read: those are not idle
    setImmediate(() => {
      if (open.size < MAX_CONNECTIONS || makeRoom()) admit(socket)
      else refuse(socket)
    })
  })

  app.addHook('onRequest', async ({ raw }, reply) => {
    const use = open.get(raw.socket)
    if (use === undefined) return
    use.isAdmitted = true
    use.answering++
    reply.raw.once('close', () => {
      use.answering--
      use.idleSinceMs = performance.now()
    })
  })

  app.addHook('preClose', async () => {
    clearTimeout(clearing)
    for (const socket of refused) socket.destroy()
  })

  function admit(socket: Socket): void {
    open.set(socket, { isAdmitted: false, answering: 0, idleSinceMs: performance.now() })
    socket.once('close', () => open.delete(socket))
    for (const listener of serve) listener.call(app.server, socket)
  }

  function makeRoom(): boolean {
    const idle = [...open].filter(([, { answering }]) => answering === 0)
    const strangers = idle.filter(([, { isAdmitted }]) => !isAdmitted)
    const [longest] = (strangers.length > 0 ? strangers : idle).toSorted(
      ([, a], [, b]) => a.idleSinceMs - b.idleSinceMs,
    )
    if (longest === undefined || performance.now() - longest[1].idleSinceMs < GRACE_MS) return false
    const [socket] = longest
    open.delete(socket)
    socket.write(REFUSAL)
    socket.destroySoon()
    return true
  }

  function refuse(socket: Socket): void {
    warnings.warn(WARNING)
    clearTimeout(clearing)
    clearing = setTimeout(() => warnings.clear(WARNING.code), TOLD_MS).unref()
    // bounded, too
    if (refused.size >= MAX_CONNECTIONS) [...refused][0]?.destroy()
    refused.add(socket)
    const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref()
    socket.once('close', () => {
      clearTimeout(timer)
      refused.delete(socket)
    })
    socket.on('error', () => socket.destroy())
    socket.end(REFUSAL)
    // a request that nobody reads would reset the connection before the answer is read
    socket.resume()
  }
})
