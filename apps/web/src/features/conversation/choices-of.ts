const MAX_SESSIONS = 50
const choicesBySession = new Map<string, Map<string, boolean>>()

/** What the reader opened and closed in a session, for as long as the tab lives: who comes back finds it so. */
export function choicesOf(sessionRef: string): Map<string, boolean> {
  const choices = choicesBySession.get(sessionRef) ?? new Map<string, boolean>()
  // the one visited last stands last
  choicesBySession.delete(sessionRef)
  choicesBySession.set(sessionRef, choices)
  const [oldest] = choicesBySession.keys()
  if (choicesBySession.size > MAX_SESSIONS && oldest !== undefined) choicesBySession.delete(oldest)
  return choices
}
