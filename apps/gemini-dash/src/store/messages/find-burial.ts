import type { SessionDetail } from '@gemini-dash/api'
import type { Message, Session } from 'gemini-sessions'

/** Why nothing of a buried session's talk is in the CLI's final state, by how its last conversation left it. */
export function findBurial({
  buried,
  drawnKeys,
  messages,
}: Pick<Session, 'buried' | 'drawnKeys' | 'messages'>): SessionDetail['buriedBy'] {
  if (!buried) return null
  const drawn = new Set(drawnKeys)
  const last = messages.findLast((message) => drawn.has(message.key) && isTalk(message))
  if (last?.superseded === 'rewound') return 'rewound'
  if (last?.superseded === 'aborted') return 'refused'
  // a load begins with a context of its own, and here nothing came after it
  return messages.some(({ origin, superseded }) => origin === 'injected' && superseded === null)
    ? 'failed-load'
    : 'cleared'
}

function isTalk({ origin }: Message): boolean {
  return origin === 'human' || origin === 'model'
}
