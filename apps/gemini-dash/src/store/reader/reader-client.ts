import { ReaderLane } from './reader-lane.ts'
import type { ReaderAnswers, ReaderQuestion } from './reader-question.ts'
import type { SessionSource } from './session-source.ts'

/** Beyond this a reading takes so long that others would wait for it. */
const LARGE_BYTES = 16 * 1024 * 1024

/**
 * Asks threads that read sessions, so that a large one never holds up the server, nor the small one that somebody
 * opens meanwhile: large ones are read by a thread of their own, started when it is first needed.
 */
export class ReaderClient {
  readonly #lane: ReaderLane
  readonly #laneOfLarge: ReaderLane

  constructor(url: URL) {
    this.#lane = new ReaderLane(url)
    this.#laneOfLarge = new ReaderLane(url)
  }

  ask<Q extends ReaderQuestion>(
    question: Q,
    args: ReaderAnswers[Q]['args'],
  ): Promise<ReaderAnswers[Q]['answer']> {
    return (isLarge(args.source) ? this.#laneOfLarge : this.#lane).ask(question, args)
  }

  async close(): Promise<void> {
    await Promise.all([this.#lane.close(), this.#laneOfLarge.close()])
  }
}

function isLarge(source: SessionSource): boolean {
  if (source.kind === 'neighbours') return false
  return source.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) > LARGE_BYTES
}
