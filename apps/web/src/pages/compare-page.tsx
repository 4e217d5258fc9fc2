import './compare-page.css'
import '../ui/rail.css'
import '../ui/buttons/button.css'
import { sessionName } from '@gemini-dash/api/session-name'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ArrowLeftRight } from 'lucide-react'
import { sessionQuery } from '../api/session.ts'
import { ComparedHead, CompareFigures } from '../features/compare.tsx'
import { zonedSpan } from '../features/session-head/session-span.ts'
import { useDocumentTitle } from '../lib/hooks.ts'
import { useActions } from '../lib/use-actions.ts'
import { Icon } from '../ui/icons.tsx'
import { Failed, SkeletonRows } from '../ui/states.tsx'

const route = getRouteApi('/compare')

/** Two sessions side by side. */
export function ComparePage() {
  const { a = '', b = '' } = route.useSearch()
  useDocumentTitle('Compare sessions')
  return (
    <main className="page-main compare-page" id="main" tabIndex={-1}>
      <Compared a={a} b={b} />
    </main>
  )
}

function Compared({ a, b }: { a: string; b: string }) {
  const [one, other] = [useQuery(sessionQuery(a)), useQuery(sessionQuery(b))]
  const sides = one.data && other.data && { a: one.data.session, b: other.data.session }
  const failed = [one, other].find(({ data, error }) => data === undefined && error !== null)
  const navigate = route.useNavigate()
  useActions({
    swapSides: () => void navigate({ search: { a: b, b: a } }),
  })
  return (
    <>
      <div className="compare-top">
        <h1 className="page-title">Compare sessions</h1>
        <span className="push">
          <Link to="/compare" search={{ a: b, b: a }} className="button">
            <Icon of={ArrowLeftRight} small />
            Swap
          </Link>
        </span>
      </div>
      {failed?.error != null && (
        <Failed
          what="They could not be compared."
          error={failed.error}
          onRetry={() => void failed.refetch()}
        />
      )}
      {sides === undefined && failed === undefined && <SkeletonRows count={8} label="Comparing" />}
      {sides !== undefined && (
        <div className="compare-body">
          <div className="compare-heads">
            {(['a', 'b'] as const).map((side) => (
              <ComparedHead
                key={side}
                side={side}
                name={sessionName(sides[side])}
                when={zonedSpan(sides[side])}
                session={sides[side]}
              />
            ))}
          </div>
          <CompareFigures {...sides} />
        </div>
      )}
    </>
  )
}
