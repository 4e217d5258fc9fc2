interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
}

/** On a busy machine a server may be killed at the deadline (docs/decisions/threads.md). Only that is retried. */
export const AGAIN_AFTER_FORCE = { retry: { count: 2, condition: /^ended by force/ } }

/** Checks that it ended by itself, with 0. null: it has not ended. */
export function expectOwnEnd<End extends Ended>(ended: End | null): End {
  if (ended === null) throw new Error('it has not ended')
  if (ended.signal === 'SIGKILL') throw new Error('ended by force')
  if (ended.code !== 0) throw new Error(`ended with ${ended.code ?? ended.signal}`)
  return ended
}
