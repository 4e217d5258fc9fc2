import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sessionQuery } from '../api/session/session.ts'
import { SessionChoice } from '../features/compare/session-choice.tsx'
import { sessionName } from '../features/session-head/session-name.ts'
import { Segmented } from '../ui/controls/segmented.tsx'

const SCOPES = [
  { value: 'project', label: 'Its project' },
  { value: 'all', label: 'All projects' },
] as const

/** Which session to compare, or to compare the chosen one with: of its project first, as that is mostly meant. */
export function CompareChoice({ chosen }: { chosen: string | undefined }) {
  const [scope, setScope] = useState<(typeof SCOPES)[number]['value']>('project')
  const { data } = useQuery({ ...sessionQuery(chosen ?? ''), enabled: chosen !== undefined })
  const session = data?.session
  return (
    <div className="compare-choose">
      <h1 className="page-title">Compare sessions</h1>
      <p className="text-ink-2" dir="auto">
        {session === undefined
          ? 'Choose the first session.'
          : `Choose what to compare “${sessionName(session)}” with.`}
      </p>
      {session !== undefined && (
        <Segmented label="Sessions of" value={scope} options={SCOPES} onChange={setScope} />
      )}
      <SessionChoice
        key={`${chosen} ${scope}`}
        projectKey={scope === 'project' ? session?.project.key : undefined}
        chosenKey={session?.key}
        nameOf={sessionName}
        searchOf={(key) => (session === undefined ? { a: key } : { a: session.key, b: key })}
      />
    </div>
  )
}
