import type { UsageWhy as UsageWhyAnswer } from '@gemini-dash/api'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { usageWhyQuery } from '../../../api/cost.ts'
import { ExplainButton } from '../../../content/explain/explain-button.tsx'
import type { UsageScope } from '../../../content/explain/explain-context.ts'
import { WhereItWent } from '../../../content/where-it-went/where-it-went.tsx'
import { Failed } from '../../../ui/states/failed.tsx'
import { SkeletonRows } from '../../../ui/states/skeleton-rows.tsx'

/** Where the cost of all these sessions went, with the session in which most of it did. */
export function UsageWhyView({ scope }: { scope: UsageScope }) {
  const { data: why, error, refetch } = useQuery(usageWhyQuery(scope))
  if (error !== null && why === undefined)
    return <Failed what="The cost could not be taken apart." error={error} onRetry={() => void refetch()} />
  if (why === undefined) return <SkeletonRows count={5} label="Taking the cost apart" />
  if (why.total === null) return null
  const items = why.items.map((item) => ({ ...item, evidence: evidenceOf(item, scope) }))
  return <WhereItWent total={why.total} items={items} of="in all" />
}

function evidenceOf({ kind, sessions }: UsageWhyAnswer['items'][number], scope: UsageScope): ReactNode {
  const [most] = sessions
  if (kind === 'rest')
    return (
      <ExplainButton of={{ kind: 'usage', figure: 'cost', name: 'Cost', scope }} name="">
        Show the sessions
      </ExplainButton>
    )
  if (most === undefined) return null
  return (
    <Link to="/s/$key" params={{ key: most.key }} search={{ view: 'context' }} className="link" dir="auto">
      Most of it: {most.title || 'a session without a name'}
    </Link>
  )
}
