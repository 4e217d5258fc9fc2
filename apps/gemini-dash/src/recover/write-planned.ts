import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { Session } from 'gemini-sessions'
import type { DiscoveredFile } from 'gemini-sessions/node'
import type { HomeWrite, WriteOne } from '../home-writes/home-writer.ts'
import type { Target } from './find-target.ts'
import type { RecoveryPlan } from './make-plan.ts'
import { loads } from './recovered-log.ts'

/**
 * Writes what is planned, and reads it back; what does not hold is removed again. Id of the journal's entry, and what was wrong.
 *
 * @throws why it could not be written; nothing of it is left then
 */
export async function writePlanned(
  writeOne: WriteOne,
  { target, plan, session }: { target: Target; plan: RecoveryPlan; session: Session },
  about: Pick<HomeWrite, 'what' | 'sessionKey'>,
): Promise<{ id: string; problem: string | null }> {
  const { entry, problem } = await writeOne({ ...about, home: target.home, files: plan.files }, async () =>
    (await holds(target, plan, session)) ? null : 'What was written is not read back as that session.',
  )
  return { id: entry.id, problem: problem === null ? null : `${problem} It was removed again.` }
}

/** As we read it; what is written is what the CLI's own loader reads, which tests compare with ours. */
async function holds(target: Target, { log, ids }: RecoveryPlan, session: Session): Promise<boolean> {
  const absolutePath = join(target.home, log)
  const { size, mtimeMs, mtimeNs, ctimeNs, ino } = lstatSync(absolutePath, { bigint: true })
  const file: DiscoveredFile = {
    home: target.home,
    path: log,
    absolutePath,
    projectFolder: join(target.home, 'tmp', target.folder),
    sizeBytes: Number(size),
    mtimeMs: Number(mtimeMs),
    mtimeNs: String(mtimeNs),
    ctimeNs: String(ctimeNs),
    inode: String(ino),
  }
  return loads(file, session.sessionId, ids)
}
