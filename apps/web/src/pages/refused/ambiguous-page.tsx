import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { sessionQuery } from '../../api/session/session.ts'
import { formatDateTime } from '../../lib/figures/format.ts'
import { NoticePage } from '../../ui/states/notice-page.tsx'

/** More are counted: a single letter can begin the keys of very many. */
const MOST_NAMED = 20

/** What several sessions can be meant by: each of them, to choose from. */
export function AmbiguousPage({ sessionKeys }: { sessionKeys: string[] }) {
  const named = sessionKeys.slice(0, MOST_NAMED)
  const details = useQueries({ queries: named.map((key) => sessionQuery(key)) })
  return (
    <NoticePage
      title={`${sessionKeys.length} sessions have this id or begin with it`}
      lead={
        named.length < sessionKeys.length
          ? `Which one do you mean? These are the first ${named.length}; a longer key finds the others.`
          : 'Which one do you mean?'
      }
    >
      <ul className="sheet mt-6">
        {named.map((key, position) => {
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
