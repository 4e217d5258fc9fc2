import { agentIds } from '../derive/subagents/agent-ids.ts'
import { linkSubagents, type SubagentLink } from '../derive/subagents/link-subagents.ts'
import type { SessionSummary } from '../model/session-summary.ts'
import { type ReadOptions, readSessions } from './read-sessions.ts'

/**
 * The rows of every session of these homes, the one that was written to last first, with sub-agents linked to what
 * started them. Reads every file in full, but holds no messages. Rejects only if a named home does not exist.
 */
export async function listSessions(options: ReadOptions = {}): Promise<SessionSummary[]> {
  const links: SubagentLink[] = []
  for await (const { session, summary } of readSessions(options)) {
    links.push({
      summary,
      parentSessionId: session.parentSessionId,
      agentIds: agentIds(session.messages),
    })
  }
  return linkSubagents(links).sort(latestFirst)
}

function latestFirst(a: SessionSummary, b: SessionSummary): number {
  return (b.endTime ?? '').localeCompare(a.endTime ?? '') || a.key.localeCompare(b.key)
}
