import type { Store } from '../../store/store.ts'
import { ApiFailure } from '../contract/api-failure.ts'

/** The key of the session meant by any form of KEY. Keys are looked up, never joined to a path. */
export function foundSession(store: Store, keyOrId: string): string {
  const resolution = store.resolve(keyOrId)
  if (resolution.kind === 'one') return resolution.key
  if (resolution.kind === 'none') throw new ApiFailure('not-found', 'There is no such session.')
  throw new ApiFailure('ambiguous', 'Several sessions have this key or id, or begin with it.', {
    keys: resolution.keys,
  })
}

/** What stands in a session that is there, or a failure that names what is not. */
export function found<Answer>(answer: Answer | null, noun: string): Answer {
  if (answer === null) throw new ApiFailure('not-found', `There is no such ${noun}.`)
  return answer
}
