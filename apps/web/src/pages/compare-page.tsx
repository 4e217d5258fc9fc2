import '../features/compare/compare.css'
import '../ui/frames/rail-frame.css'
import '../ui/buttons/button.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ArrowLeftRight } from 'lucide-react'
import { comparisonQuery, sessionQuery } from '../api/session/session.ts'
import { CompareFigures, CompareFiles, CompareTools } from '../features/compare/compare-tables.tsx'
import { CompareTurns } from '../features/compare/compare-turns.tsx'
import { ComparedHead, CompareOutcome } from '../features/compare/compared-session.tsx'
import { SessionChoice } from '../features/compare/session-choice.tsx'
import { FirstRun, useEmptyHomes } from '../features/first-run/first-run.tsx'
import { sessionName } from '../features/session-head/session-name.ts'
import { zonedSpan } from '../features/session-head/session-span.ts'
import { choiceHandlers, optionsOf, valuesOf } from '../lib/actions/choice-actions.ts'
import { useActions } from '../lib/actions/use-actions.ts'
import { COMPARE_SCOPE_LABELS, type CompareSearch } from '../lib/address/page-searches.ts'
import { useDocumentTitle } from '../lib/hooks/use-document-title.ts'
import { Segmented } from '../ui/controls/segmented.tsx'
import { Icon } from '../ui/signs/icon.tsx'
import { Failed } from '../ui/states/failed.tsx'
import { SkeletonRows } from '../ui/states/skeleton-rows.tsx'

const SCOPES = optionsOf(COMPARE_SCOPE_LABELS)

const route = getRouteApi('/compare')

/** Two sessions side by side; while one is missing, the place to choose it. */
export function ComparePage() {
  const { a, b, of = 'project', q } = route.useSearch()
  const emptyHomes = useEmptyHomes()
  useDocumentTitle('Compare sessions')
  if (emptyHomes !== null && a === undefined && b === undefined) return <FirstRun homes={emptyHomes} />
  return (
    <main className="page-main compare-page" id="main" tabIndex={-1}>
      {a === undefined || b === undefined ? (
        <CompareChoice chosen={a ?? b} scope={of} q={q ?? ''} />
      ) : (
        <Compared a={a} b={b} />
      )}
    </main>
  )
}

function Compared({ a, b }: { a: string; b: string }) {
  const { data, error, refetch } = useQuery(comparisonQuery(a, b))
  const navigate = route.useNavigate()
  useActions({
    swapSides: () => void navigate({ search: { a: b, b: a } }),
    chooseOther: () => void navigate({ search: { a } }),
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
          <Link to="/compare" search={{ a }} className="button">
            Another B…
          </Link>
        </span>
      </div>
      {error !== null && (
        <Failed what="They could not be compared." error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <SkeletonRows count={8} label="Comparing" />}
      {data !== undefined && (
        <div className="compare-body">
          <div className="compare-heads">
            {(['a', 'b'] as const).map((side) => (
              <ComparedHead
                key={side}
                side={side}
                name={sessionName(data[side].session)}
                when={zonedSpan(data[side].session)}
                compared={data[side]}
              />
            ))}
          </div>
          <CompareOutcome comparison={data} />
          <div className="compare-tables">
            <CompareFigures comparison={data} />
            <CompareTools comparison={data} />
          </div>
          <CompareTurns comparison={data} />
          <CompareFiles comparison={data} />
        </div>
      )}
    </>
  )
}

interface ChoiceProps {
  chosen: string | undefined
  scope: 'project' | 'all'
  q: string
}

/** Which session to compare, or to compare the chosen one with: of its project first, as that is mostly meant. */
function CompareChoice({ chosen, scope, q }: ChoiceProps) {
  const navigate = route.useNavigate()
  const { data, error } = useQuery({ ...sessionQuery(chosen ?? ''), enabled: chosen !== undefined })
  const session = data?.session
  // chosen also while the server still reads it
  const a = session?.key ?? (error === null ? chosen : undefined)
  const say = (change: CompareSearch) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false })
  const setScope = (next: ChoiceProps['scope']) => say({ of: next === 'all' ? next : undefined })
  useActions(session === undefined ? {} : choiceHandlers('scope', valuesOf(COMPARE_SCOPE_LABELS), setScope))
  return (
    <div className="compare-choose">
      <h1 className="page-title">Compare sessions</h1>
      <p className="text-ink-2" dir="auto">
        {a === undefined
          ? 'Choose the first session.'
          : `Choose what to compare ${session === undefined ? 'it' : `“${sessionName(session)}”`} with.`}
      </p>
      {session !== undefined && (
        <Segmented label="Sessions of" value={scope} options={SCOPES} onChange={setScope} />
      )}
      <SessionChoice
        key={`${chosen} ${scope}`}
        projectKey={scope === 'project' ? session?.project.key : undefined}
        chosenKey={a}
        q={q}
        onType={(text) => say({ q: text || undefined })}
        nameOf={sessionName}
        searchOf={(key) => (a === undefined ? { a: key } : { a, b: key })}
      />
    </div>
  )
}
