import type { SessionCost } from '@gemini-dash/api'
import { Link } from '@tanstack/react-router'
import type { Cost, TokenUsage } from 'gemini-sessions'
import { formatPlural } from '../../lib/figures/format.ts'
import { SumTable } from './tables/sum-table.tsx'

interface Props {
  family: NonNullable<SessionCost['family']>
  /** The session without them. */
  own: { usage: TokenUsage; cost: Cost }
}

/** The session and its sub-agents, apart and together. */
export function ExplainFamily({ family: { subagents, together }, own }: Props) {
  return (
    <section className="explain-rate">
      <h3>With {formatPlural(subagents.length, 'sub-agent')}</h3>
      <SumTable
        label="The session and its sub-agents"
        head="Session"
        rows={[
          { key: 'own', name: 'this one', ...own },
          ...subagents.map(({ sessionKey, title, usage, cost }) => ({
            key: sessionKey,
            usage,
            cost,
            explains: { kind: 'session', sessionRef: sessionKey } as const,
            name: (
              <Link to="/s/$key" params={{ key: sessionKey }} className="link" title={title} dir="auto">
                {title || sessionKey}
              </Link>
            ),
          })),
        ]}
        together={together}
      />
    </section>
  )
}
