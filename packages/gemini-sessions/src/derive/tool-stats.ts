import type { Session } from '../model/session.ts'
import { outputLength } from './output-length.ts'
import { spentMessages } from './spent-messages.ts'

/** One tool in one session. */
export interface ToolStats {
  name: string
  calls: number
  errors: number
  /** A quarter of the characters that went back to the model. */
  outputTokensEstimate: number
}

/** The tools that a session used, superseded calls included, copies not; the busiest first. */
export function toolStats(session: Session): ToolStats[] {
  const stats = new Map<string, ToolStats>()
  const counted = new Set<string>()
  const calls = spentMessages(session)
    .filter(({ copyOf }) => copyOf === null)
    .flatMap(({ toolCalls }) => toolCalls)
  for (const { id, name, failed, output } of calls) {
    // A rewrite under new ids that is no exact copy (0.57+) repeats its calls, and ids of calls never repeat.
    if (id !== '' && counted.has(id)) continue
    counted.add(id)
    const known = stats.get(name) ?? { name, calls: 0, errors: 0, outputTokensEstimate: 0 }
    known.calls += 1
    known.errors += failed ? 1 : 0
    known.outputTokensEstimate += Math.ceil(outputLength(output) / 4)
    stats.set(name, known)
  }
  return [...stats.values()].sort((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : 1))
}
