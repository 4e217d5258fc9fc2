import type { Session } from '../../model/session.ts'

/**
 * Gives sessions whose keys are equal a key each: `~2`, `~3` by path (contract rule 9), damaged files last, so that the
 * cut twin of a session does not take its key. Equal keys come from folders of one project that nothing links, and
 * from editors that reuse an id.
 */
export function separateKeys(sessions: readonly Session[]): Session[] {
  const byPlace = sessions
    .map((session) => ({ session, place: placeOf(session) }))
    .sort((a, b) => (a.place < b.place ? -1 : 1))
  const seen = new Map<string, number>()
  const keys = new Map<Session, string>()
  for (const { session } of byPlace) {
    const count = (seen.get(session.key) ?? 0) + 1
    seen.set(session.key, count)
    keys.set(session, count === 1 ? session.key : `${session.key}~${count}`)
  }
  return sessions.map((session) => ({ ...session, key: keys.get(session) ?? session.key }))
}

function placeOf({ files }: Session): string {
  const rank = files.some((file) => file.role === 'damaged') ? 1 : 0
  const [first = ''] = files.map(({ path, home }) => `${path}\n${home}`).sort()
  return `${rank}\n${first}`
}
