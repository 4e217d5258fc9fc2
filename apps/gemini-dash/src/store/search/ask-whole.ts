import type { SearchResult } from '@gemini-dash/api'
import type { Indexing } from '../indexing/indexing.ts'

const MOST_ATTEMPTS = 3

/**
 * The index can lose something while it answers. If it has read that again meanwhile it is asked once more; otherwise the
 * answer says how much it covers.
 */
export async function askWhole<Answer extends Pick<SearchResult, 'coverage'>>(
  indexing: Pick<Indexing, 'losses' | 'isReady' | 'progress'>,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const { losses } = indexing
    const answer = await ask()
    if (losses === indexing.losses) return answer
    if (!indexing.isReady || attempt === MOST_ATTEMPTS) return { ...answer, coverage: indexing.progress() }
  }
}
