import type { GroupClaims } from '../../derive/identity/assign-keys.ts'
import type { Message } from '../../model/message.ts'
import type { DiscoveredFile } from '../scan/scan.ts'
import { GrowingSessionGroup } from './growing-session-group.ts'

/** A message and the session that it is of. */
export interface ReadMessage {
  sessionKey: string
  message: Message
}

/** Whole at the same time. */
const AT_ONCE = 16

/**
 * The messages of the files of one group (see `surveyHomes`), one after the other, for sessions that are too large to be held:
 * large outputs, diffs and pictures stay in their files until it is their turn. What they are equals `readSessionGroup`. `claims`:
 * `SurveyedGroup.claims`.
 *
 * @throws SessionsError `file-changed` where a file was rewritten meanwhile, and what `signal` says where nobody waits any more
 */
export async function* readMessages(
  files: readonly DiscoveredFile[],
  { signal, claims }: { signal?: AbortSignal; claims?: GroupClaims } = {},
): AsyncGenerator<ReadMessage, void, undefined> {
  signal?.throwIfAborted()
  const group = new GrowingSessionGroup({ putsTextsAside: true })
  for (const { key: sessionKey, messages } of await group.read(files, claims)) {
    for (let first = 0; first < messages.length; first += AT_ONCE) {
      signal?.throwIfAborted()
      for (const message of await group.restore(messages.slice(first, first + AT_ONCE)))
        yield { sessionKey, message }
    }
  }
}
