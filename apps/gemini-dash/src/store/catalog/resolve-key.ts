/** What a key can be found by. */
export interface KeyedSession {
  key: string
  sessionId: string
  /** Keys of the session's single files: a link survives when the earliest file is deleted. */
  ownKeys: readonly string[]
}

export type KeyResolution =
  | { kind: 'one'; key: string }
  | { kind: 'ambiguous'; keys: string[] }
  | { kind: 'none' }

/** A session's key, any own key of its files, its `sessionId`, or the beginning of one of these that only one session has. */
export function resolveKey(sessions: Iterable<KeyedSession>, text: string): KeyResolution {
  if (text === '') return { kind: 'none' }
  const all = [...sessions]
  const kinds: ((session: KeyedSession) => boolean)[] = [
    (session) => session.key === text,
    (session) => session.ownKeys.includes(text),
    (session) => session.sessionId === text,
    (session) => session.key.startsWith(text) || session.sessionId.startsWith(text),
    (session) => session.ownKeys.some((key) => key.startsWith(text)),
  ]
  for (const isMeant of kinds) {
    const keys = all.filter(isMeant).map(({ key }) => key)
    if (keys.length === 1 && keys[0] !== undefined) return { kind: 'one', key: keys[0] }
    if (keys.length > 1) return { kind: 'ambiguous', keys }
  }
  return { kind: 'none' }
}
