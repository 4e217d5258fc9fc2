import type { Antigravity } from '@gemini-dash/api'
import { findAntigravity } from 'gemini-sessions/node'

/** What Antigravity has left in this home, to be spread into what is said of it: nothing where it has left nothing. */
export function describeAntigravity(home: string): { antigravity?: Antigravity } {
  const found = findAntigravity(home)
  if (found === null) return {}
  const { folders, conversations } = found
  const places = folders.map((name) => `${home}/${name}`).join(', ')
  const what = conversations === 1 ? '1 conversation' : `${conversations} conversations`
  return {
    antigravity: {
      ...found,
      text: `${what} of Antigravity, in a format of its own that is not read yet: ${places}.`,
    },
  }
}
