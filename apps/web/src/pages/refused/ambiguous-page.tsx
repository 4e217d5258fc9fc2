import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { sessionQuery } from '../../api/session/session.ts'
import { formatDateTime } from '../../lib/figures/format.ts'
import { NoticePage } from '../../ui/states/notice-page.tsx'

/** An id that several sessions share: each of them, to choose from. */
export function AmbiguousPage({ sessionKeys }: { sessionKeys: string[] }) {
  const details = useQueries({ queries: sessionKeys.map((key) => sessionQuery(key)) })
  return (
    <NoticePage
      title={`${sessionKeys.length} sessions have this id`}
      lead="Gemini CLI wrote several conversations under one id. Which one do you mean?"
    >
      <ul className="sheet mt-6">
        {sessionKeys.map((key, position) => {
          const session = details[position]?.data?.session
          return (
            <li key={key} className="border-line border-t px-3 py-2 first:border-t-0">
              <Link to="/s/$key" params={{ key }} className="link text-md font-medium" dir="auto">
                {session?.title || key}
              </Link>
              <span className="dim ms-3 text-xs">
                {session?.project.name}
                {session?.startTime && `, ${formatDateTime(session.startTime)}`}
              </span>
            </li>
          )
        })}
      </ul>
    </NoticePage>
  )
}
