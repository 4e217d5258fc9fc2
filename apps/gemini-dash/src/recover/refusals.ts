import type { RecoverAnswer } from '@gemini-dash/api'
import { drawnMessages, readSessionPath, type Session, type SessionSummary } from 'gemini-sessions'
import type { RecoverySource } from '../store/recovering.ts'
import { isCliRunningIn } from './find-running-cli.ts'
import type { Target } from './find-target.ts'
import { problemOf, type RecoveryPlan } from './make-plan.ts'
import { loads } from './recovered-log.ts'

export type Refusal = RecoverAnswer['refused'][number]

/** What grew within this time may grow again. */
const QUIET_MS = 120_000

/** What stands against writing a copy of this session anywhere. */
export function refuseSession(
  { summary, files, isLive }: RecoverySource,
  session: Session | undefined,
  nowMs: number,
): Refusal[] {
  if (summary.kind !== 'main')
    return [
      {
        code: 'no-main-session',
        message: 'Only a session with a file of its own can be written; sub-agents go with theirs.',
      },
    ]
  if (session === undefined || drawnMessages(session).length === 0)
    return [{ code: 'nothing-left', message: 'Of this session no message is left.' }]
  // What is only kept cannot grow.
  const own = new Set(summary.files.map(({ home, path }) => `${home}\n${path}`))
  const there = files.filter(({ kept, home, path }) => kept === undefined && own.has(`${home}\n${path}`))
  const hasGrown = there.some(({ mtimeMs }) => nowMs - mtimeMs < QUIET_MS)
  return hasGrown || (isLive && there.length > 0)
    ? [
        {
          code: 'grew',
          message: 'It grew within the last two minutes: it may be in use. Try again later.',
        },
      ]
    : []
}

/** `isThere`: of the sessions among which the CLI would list it. */
export function refuseSharedId(
  { sameId }: RecoverySource,
  isThere: (other: SessionSummary) => boolean,
): Refusal[] {
  if (!sameId.some(isThere)) return []
  return [
    {
      code: 'shared-id',
      message: 'Another session in the home has the same id, and Gemini CLI would show only one of them.',
    },
  ]
}

export function refuseRunningCli(paths: readonly (string | null)[]): Refusal[] {
  return [...new Set(paths)].flatMap((path) =>
    path !== null && isCliRunningIn(path) === true
      ? [
          {
            code: 'cli-runs',
            message: `A Gemini CLI works in ${path} just now. End it, and try again.`,
          },
        ]
      : [],
  )
}

export function refusePlaces(target: Target, { files }: RecoveryPlan): Refusal[] {
  return files.flatMap(({ parts }) => problemOf(target, parts) ?? [])
}

/** A file where the CLI looks holds what stands for the session. */
export async function isWhole(
  { files }: RecoverySource,
  session: Session,
  { home, folder }: Target,
): Promise<boolean> {
  const ids = drawnMessages(session).map(({ id }) => id)
  for (const file of files) {
    const { parentId, projectFolder, isBackup } = readSessionPath(file.path)
    const isRead =
      file.kept === undefined &&
      file.home === home &&
      projectFolder === folder &&
      parentId === null &&
      !isBackup
    if (isRead && (await loads(file, session.sessionId, ids))) return true
  }
  return false
}
