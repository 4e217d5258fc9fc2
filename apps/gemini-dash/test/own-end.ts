interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
}

/** A busy machine may have a server end by force (docs/decisions/threads.md). That, and nothing else, is tried again. */
export const AGAIN_AFTER_FORCE = { retry: { count: 2, condition: /^ended by force/ } }

/** It ended by itself, with 0. null: not yet. */
export function expectOwnEnd<End extends Ended>(ended: End | null): End {
  if (ended === null) throw new Error('it has not ended')
  if (ended.signal === 'SIGKILL') throw new Error('ended by force')
  if (ended.code !== 0) throw new Error(`ended with ${ended.code ?? ended.signal}`)
  return ended
}
