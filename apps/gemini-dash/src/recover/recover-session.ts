import type { RecoverAnswer } from '@gemini-dash/api'
import { readSessionGroup } from 'gemini-sessions/node'
import { HomeWriter } from '../home-writes/home-writer.ts'
import type { Recovering, RecoverySource } from '../store/recovering.ts'
import { findTarget } from './find-target.ts'
import { makePlan } from './make-plan.ts'
import {
  isWhole,
  type Refusal,
  refusePlaces,
  refuseRunningCli,
  refuseSession,
  refuseSharedId,
} from './refusals.ts'
import { writePlanned } from './write-planned.ts'

export interface RecoverParts {
  recovering: Recovering
  /** null: nothing may be written, not even a journal. */
  dataFolder: string | null
  nowMs: number
}

/**
 * Says what would be written to bring a session back into its home, and with `isWriting` writes it. null: there is no such session.
 *
 * @throws why it could not be written; nothing of it is left then
 */
export async function recoverSession(
  { recovering, dataFolder, nowMs }: RecoverParts,
  key: string,
  isWriting: boolean,
): Promise<RecoverAnswer | null> {
  await takeAwayLeft(recovering, dataFolder)
  const source = recovering.describe(key)
  if (source === null) return null
  const session = (await readSessionGroup(source.files, source)).find(({ key: own }) => own === source.ownKey)
  const refused = refuse(source, refuseSession(source, session, nowMs))
  const target = findTarget(source)
  if (target === null) refused.push(noFolder(source))
  // Before what grew: what was recovered a moment ago is in no use.
  const mayBeThere = refused.every(({ code }) => code === 'grew')
  if (mayBeThere && session !== undefined && target !== null && (await isWhole(source, session, target)))
    return refusal([
      { code: 'in-home', message: 'The home holds all of this session: Gemini CLI finds it there.' },
    ])
  if (session === undefined || target === null || refused.length > 0) return refusal(refused)
  const plan = await makePlan(source, session, target, { nowMs })
  refused.push(...refusePlaces(target, plan))
  if (dataFolder === null && isWriting)
    refused.push({ code: 'no-journal', message: 'With --no-cache nothing is written.' })
  const writes = plan.files.map(({ parts, bytes }) => ({ path: parts.join('/'), sizeBytes: bytes.length }))
  const answer = { home: target.home, writes, refused, notes: plan.notes, written: null }
  if (!isWriting || dataFolder === null || refused.length > 0) return answer
  const about = { what: 'recover', sessionKey: source.summary.key } as const
  const writer = new HomeWriter(dataFolder)
  const { id, problem } = await writePlanned(writer.write.bind(writer), { target, plan, session }, about)
  await recovering.refresh()
  return problem === null
    ? { ...answer, written: id }
    : { ...answer, refused: [{ code: 'not-read-back', message: problem }] }
}

/** What a process that was killed has written counts as there: it is taken away before anything is planned. */
export async function takeAwayLeft(recovering: Recovering, dataFolder: string | null): Promise<void> {
  if (dataFolder !== null && new HomeWriter(dataFolder).removeLeft() > 0) await recovering.refresh()
}

function refusal(refused: Refusal[]): RecoverAnswer {
  return { home: null, writes: [], refused, notes: [], written: null }
}

function refuse(source: RecoverySource, found: Refusal[]): Refusal[] {
  const isFinal = found.some(({ code }) => code === 'no-main-session' || code === 'nothing-left')
  const { project } = source.summary
  if (isFinal) return found
  return [
    ...found,
    ...refuseSharedId(source, (other) => other.project.key === project.key),
    ...refuseRunningCli([project.path]),
  ]
}

function noFolder({ summary: { project } }: RecoverySource): Refusal {
  const where = project.path ?? 'the project’s folder'
  return {
    code: 'no-folder',
    message: `Gemini CLI has no folder for this project yet. Start it once in ${where}, end it, and try again.`,
  }
}
