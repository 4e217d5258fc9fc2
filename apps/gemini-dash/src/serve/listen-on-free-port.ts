import type { FastifyInstance } from 'fastify'
import { CliError } from '../terminal/cli-error.ts'

export const DEFAULT_PORT = 4747
const NEXT_PORTS = 10

export interface PortWish {
  port: number
  /** Only this port is acceptable. */
  isStrict: boolean
}

/** Listens on the requested port, else on one of the next ten, else on any; returns the port. */
export async function listenOnFreePort(app: FastifyInstance, host: string, wish: PortWish): Promise<number> {
  for (const port of candidates(wish)) {
    try {
      await app.listen({ port, host })
      return boundPort(app)
    } catch (error) {
      if (!isTaken(error)) throw refusal(error, host, port)
    }
  }
  throw new CliError(
    1,
    `Port ${wish.port} on ${host} is in use.`,
    'Without --strict-port, the next free port is used.',
  )
}

function candidates({ port, isStrict }: PortWish): number[] {
  if (isStrict || port === 0) return [port]
  const following = Array.from({ length: NEXT_PORTS }, (_, step) => port + step + 1)
  return [port, ...following.filter((each) => each <= 65_535), 0]
}

function boundPort(app: FastifyInstance): number {
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return address.port
}

function isTaken(error: unknown): boolean {
  return codeOf(error) === 'EADDRINUSE'
}

function refusal(error: unknown, host: string, port: number): unknown {
  switch (codeOf(error)) {
    case 'EACCES':
      return new CliError(
        1,
        `This user may not listen on port ${port}.`,
        'Ports below 1024 often need extra permissions. Choose a higher one.',
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new CliError(
        1,
        `${host} is not an address of this machine.`,
        'Use 127.0.0.1, or 0.0.0.0 for all addresses.',
      )
    default:
      return error
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
