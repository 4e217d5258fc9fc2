import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { healthSchema } from '@gemini-dash/api'
import { z } from 'zod'
import type { Access } from '../access/access.ts'
import { sessionCookieName } from '../server/security/session-cookie.ts'

const runningServerSchema = z.object({
  pid: z.number().int().positive(),
  port: z.number().int().min(1).max(65_535),
  /** `http://127.0.0.1:4747` */
  origin: z.string(),
  version: z.string(),
  /** Changes with every build, so that a new program is not answered by an old one. */
  build: z.string(),
  homes: z.array(z.string()),
})
export type RunningServer = z.infer<typeof runningServerSchema>

const ASK_TIMEOUT_MS = 1_000

/** Leaves word of a server in the data folder; the answer takes it away again. */
export function announceServer(dataFolder: string, server: RunningServer): () => void {
  const folder = recordFolder(dataFolder)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, `${recordPrefix(server.homes)}${server.pid}.json`)
  writeFileSync(file, JSON.stringify(server), { mode: 0o600 })
  return () => rmSync(file, { force: true })
}

/** A server of this user that shows exactly these homes and answers now; of this build, if one is named. */
export async function findRunningServer(
  dataFolder: string,
  { homes, build }: { homes: string[]; build?: string },
  access: Access,
): Promise<RunningServer | null> {
  for (const server of announcedServers(dataFolder, homes)) {
    if (build !== undefined && server.build !== build) continue
    if (await isShowing(server, homes, access)) return server
  }
  return null
}

function announcedServers(dataFolder: string, homes: string[]): RunningServer[] {
  const folder = recordFolder(dataFolder)
  const servers: RunningServer[] = []
  for (const name of fileNames(folder).filter((each) => each.startsWith(recordPrefix(homes)))) {
    const server = readRecord(join(folder, name))
    if (server !== null && isAlive(server.pid)) servers.push(server)
    else rmSync(join(folder, name), { force: true })
  }
  return servers
}

/** The pid may be another program's by now, so the port is asked, as one who can write to the data folder. */
async function isShowing({ port, origin }: RunningServer, homes: string[], access: Access): Promise<boolean> {
  const token = access.commandSessions.issue()
  try {
    const answer = await fetch(`${origin}/api/health`, {
      headers: { cookie: `${sessionCookieName(port)}=${token}` },
      redirect: 'error',
      signal: AbortSignal.timeout(ASK_TIMEOUT_MS),
    })
    const health = healthSchema.safeParse(await answer.json())
    return (
      health.success &&
      isSame(
        health.data.homes.map(({ path }) => path),
        homes,
      )
    )
  } catch {
    return false
  } finally {
    access.commandSessions.revoke(token)
  }
}

function recordFolder(dataFolder: string): string {
  return join(dataFolder, 'servers')
}

function recordPrefix(homes: string[]): string {
  return `${createHash('sha256').update(homes.toSorted().join('\n')).digest('hex').slice(0, 16)}-`
}

function fileNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function readRecord(file: string): RunningServer | null {
  try {
    return runningServerSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function isSame(left: string[], right: string[]): boolean {
  return left.toSorted().join('\n') === right.toSorted().join('\n')
}
