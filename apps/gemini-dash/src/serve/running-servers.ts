import { existsSync, rmSync } from 'node:fs'
import { healthSchema } from '@gemini-dash/api'
import { processIdentitySchema, whereaboutsOf } from '@gemini-dash/session-index'
import type { GeminiHome } from 'gemini-sessions/node'
import { z } from 'zod'
import type { Access } from '../access.ts'
import { isAway } from '../own-data/data-folder.ts'
import { sessionCookieName } from '../server/allowed-hosts.ts'
import { CliError } from '../terminal/cli-error.ts'
import type { Patience } from './announced-start.ts'
import { ServerRecords } from './server-records.ts'
import { removeAtEnd } from './thread.ts'

const runningServerSchema = z.object({
  owner: processIdentitySchema,
  pid: z.number().int().positive(),
  port: z.number().int().min(1).max(65_535),
  /** `http://127.0.0.1:4747` */
  origin: z.string(),
  version: z.string(),
  /** Changes with every build, so that a new program does not get answers from an old one. */
  build: z.string(),
  homes: z.array(z.string()),
  cacheDirectory: z.string().nullable(),
  /** What `~` stands for in its answers. */
  userHome: z.string(),
})
export type RunningServer = z.infer<typeof runningServerSchema>

export interface Wanted {
  dataFolder: string
  homes: readonly GeminiHome[]
  access: Access
  patience: Patience
}

const LOOK_INTERVAL_MS = 2_000

/**
 * Announces a server in the data folder; the returned function withdraws it. If the record was removed, it is written again. A folder that
 * is gone is not recreated: `onLook` receives whether it is gone.
 */
export function announceServer(
  dataFolder: string,
  homes: readonly GeminiHome[],
  server: RunningServer,
  onLook: (isFolderAway: boolean) => void = () => {},
): () => void {
  const records = new ServerRecords(dataFolder, homes)
  let file: string | null = null
  const leaveWord = () => {
    onLook(isAway(dataFolder))
    if (file !== null && existsSync(file)) return
    try {
      file = records.write('json', server)
      removeAtEnd(file)
    } catch {
      // The disk is full or not writable; the next attempt may succeed.
    }
  }
  leaveWord()
  const timer = setInterval(leaveWord, LOOK_INTERVAL_MS).unref()
  return () => {
    clearInterval(timer)
    if (file !== null) rmSync(file, { force: true })
  }
}

/** Servers of this user that show exactly these homes and whose processes run. */
export function announcedServers(dataFolder: string, homes: readonly GeminiHome[]): RunningServer[] {
  return new ServerRecords(dataFolder, homes).read('json', runningServerSchema)
}

/**
 * A server of this user that shows exactly these homes, and of this build if one is given. Waits for a busy one.
 * @throws CliError if all running servers stay busy
 */
export async function findRunningServer(wanted: Wanted, build?: string): Promise<RunningServer | null> {
  const { dataFolder, homes } = wanted
  const servers = announcedServers(dataFolder, homes).filter(
    (server) => build === undefined || server.build === build,
  )
  const asked = servers.map(async (server) => {
    if (await isShowing(server, wanted)) return server
    throw new NotShowing()
  })
  try {
    return await Promise.any(asked)
  } catch (error) {
    const reasons: unknown[] = error instanceof AggregateError ? error.errors : [error]
    const refusal = reasons.find((reason) => !(reason instanceof NotShowing))
    if (refusal !== undefined) throw refusal
    return null
  }
}

class NotShowing extends Error {}

type Answer = 'shows' | 'does not show' | 'does not listen' | 'cut off' | 'silent'

/** As long as its process runs, silence means it is busy: meanwhile the system accepts connections for it. */
async function isShowing(server: RunningServer, wanted: Wanted): Promise<boolean> {
  const { patience } = wanted
  const { pid, origin } = server
  const sentence = `The dashboard at ${origin} (process ${pid}) is busy. Waiting for it.`
  while (whereaboutsOf(server.owner) === 'running') {
    const answer = await patience.during(sentence, ask(server, wanted))
    if (answer === 'shows') return true
    if (answer === 'does not show' || answer === 'does not listen') return false
    if (patience.leftMs === 0) {
      throw new CliError(
        1,
        `The dashboard at ${origin} (process ${pid}) is running but has not answered for ${patience.seconds} seconds.`,
        `Try again when it is less busy, stop it with "kill ${pid}", or start another one with "gemini-dash --new".`,
      )
    }
    await patience.pause(sentence)
  }
  return false
}

/** Sends a request to its port, authorized by write access to the data folder. */
async function ask(server: RunningServer, { homes, access, patience }: Wanted): Promise<Answer> {
  const token = access.commandSessions.issue()
  const signal = AbortSignal.timeout(patience.leftMs)
  try {
    const answer = await fetch(`${server.origin}/api/health`, {
      headers: { cookie: `${sessionCookieName(server.port)}=${token}` },
      redirect: 'error',
      signal,
    })
    // It was too busy to read the request, or to accept another one.
    if (answer.status === 408 || answer.status === 503) return 'cut off'
    const health = healthSchema.safeParse(await answer.json())
    return health.success && isSame(health.data.homes, homes) ? 'shows' : 'does not show'
  } catch (error) {
    return whyNot(error)
  } finally {
    access.commandSessions.revoke(token)
  }
}

function whyNot(error: unknown): Answer {
  if (error instanceof DOMException) return 'silent'
  if (error instanceof SyntaxError) return 'does not show'
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return code === 'ECONNREFUSED' ? 'does not listen' : 'cut off'
}

function isSame(left: readonly { path: string }[], right: readonly { path: string }[]): boolean {
  const textOf = (homes: readonly { path: string }[]) =>
    homes
      .map(({ path }) => path)
      .toSorted()
      .join('\n')
  return textOf(left) === textOf(right)
}
