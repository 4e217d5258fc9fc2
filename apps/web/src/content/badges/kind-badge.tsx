import type { SessionSummary } from 'gemini-sessions'
import { Badge } from '../../ui/signs/badge.tsx'

/** What a session is, where it is none of those that somebody talked in and that have a file. */
export function KindBadge({ kind }: Pick<SessionSummary, 'kind'>) {
  switch (kind) {
    case 'main':
      return null
    case 'subagent':
      return <Badge title="Started by a session">Sub-agent</Badge>
    case 'prompts-only':
      return <Badge title="Only the prompts are on disk">Prompts only</Badge>
    case 'checkpoint':
      return <Badge title="Saved by /chat save">Checkpoint</Badge>
  }
}
