/** What a key can refer to. */
export interface KeyedSession {
  key: string
  sessionId: string
  /** Keys of the session's individual files: a link survives when the earliest file is deleted. */
  ownKeys: readonly string[]
}

export type KeyResolution =
  | { kind: 'one'; key: string }
  | { kind: 'ambiguous'; keys: string[] }
  | { kind: 'none' }

/** Finds a session by its key, any own key of its files, its `sessionId`, or a unique prefix of one of these. */
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

/** A shorter prefix could soon match another session as well. */
const SHORTEST = 6

/** The shortest prefix of each key that `resolveKey` accepts for that session, at least six characters. */
export function shortenKeys(sessions: Iterable<KeyedSession>, keys: readonly string[]): Map<string, string> {
  const all = [...sessions]
  const exact = new Set(all.flatMap(({ sessionId, ownKeys }) => [sessionId, ...ownKeys]))
  const names = all
    .flatMap(({ key, sessionId }) => [
      { name: key, key },
      { name: sessionId, key },
    ])
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const short = new Map<string, string>()
  for (const [at, { name, key }] of names.entries()) {
    if (name !== key || short.has(key)) continue
    let length = SHORTEST
    for (const step of [-1, 1]) {
      // a session's own names do not conflict
      let next = at + step
      while (names[next]?.key === key) next += step
      length = Math.max(length, sharedLength(name, names[next]?.name ?? '') + 1)
    }
    while (exact.has(name.slice(0, length)) && length < name.length) length += 1
    short.set(key, name.slice(0, length))
  }
  return new Map(keys.map((key) => [key, short.get(key) ?? key]))
}

function sharedLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length += 1
  return length
}
