import type { Session } from '../model/session.ts'

/**
 * Gives sessions whose keys are equal a key each: `~2`, `~3` by path (contract rule 9). Equal keys come from folders
 * of one project that nothing links, or from editors that reuse an id within one millisecond.
 */
export function separateKeys(sessions: readonly Session[]): Session[] {
  const byPath = [...sessions].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
  const seen = new Map<string, number>()
  const keys = new Map<Session, string>()
  for (const session of byPath) {
    const count = (seen.get(session.key) ?? 0) + 1
    seen.set(session.key, count)
    keys.set(session, count === 1 ? session.key : `${session.key}~${count}`)
  }
  return sessions.map((session) => ({ ...session, key: keys.get(session) ?? session.key }))
}

function placeOf({ files }: Session): string {
  return files.map(({ path, home }) => `${path}\n${home}`).sort()[0] ?? ''
}
