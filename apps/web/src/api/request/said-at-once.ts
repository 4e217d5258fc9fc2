import type { MutationKey, QueryClient } from '@tanstack/react-query'

interface Change<Said, Shown, Answer> {
  /** Of what. */
  key: MutationKey
  send: (said: Said) => Promise<Answer>
  /** What is shown of it now, and what once this is said. */
  shown: Shown
  withSaid: (said: Said) => Shown
  put: (shown: Shown) => void
  /** What stands by the answer to a change, where `before` stood. */
  toStanding: (answer: Answer, before: Shown) => Shown
  onError: (error: Error) => void
}

/** What stands of everything that has changes on their way, by its key. */
const standing = new Map<string, unknown>()

/**
 * A change that shows before it is kept. Several of one thing are sent one after the other, so that the one said last holds;
 * where that one fails, what stands is shown again, and not what was hoped for by the one before it.
 */
export function saidAtOnce<Said, Shown, Answer>(client: QueryClient, change: Change<Said, Shown, Answer>) {
  const { key, send, shown, withSaid, put, toStanding, onError } = change
  const id = JSON.stringify(key)
  // itself is on its way until all of this is called
  const isAlone = () => client.isMutating({ mutationKey: key, exact: true }) === 1
  return {
    mutationKey: key,
    scope: { id },
    mutationFn: send,
    onMutate: (said: Said) => {
      if (isAlone()) standing.set(id, shown)
      put(withSaid(said))
    },
    onSuccess: (answer: Answer) => {
      standing.set(id, toStanding(answer, standing.get(id) as Shown))
    },
    onError: (error: Error) => {
      if (isAlone()) put(standing.get(id) as Shown)
      onError(error)
    },
    onSettled: () => {
      if (isAlone()) standing.delete(id)
    },
  }
}
