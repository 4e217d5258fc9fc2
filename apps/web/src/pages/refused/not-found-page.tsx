import { Link } from '@tanstack/react-router'
import { NoticePage } from '../../ui/states/notice-page.tsx'

/** No such page, project or session. */
export function NotFoundPage({ what }: { what?: string }) {
  return (
    <NoticePage title="Nothing here" lead={what ?? 'There is no page at this address.'}>
      <p className="mt-6">
        <Link to="/" className="link">
          All sessions
        </Link>{' '}
        or{' '}
        <Link to="/search" className="link">
          search in all of them
        </Link>
      </p>
    </NoticePage>
  )
}
