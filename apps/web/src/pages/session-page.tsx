import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { sessionQuery } from '../api/session.ts'
import { useDocumentTitle } from '../lib/use-document-title.ts'

const route = getRouteApi('/s/$key')

export function SessionPage() {
  const { key } = route.useParams()
  const { data } = useSuspenseQuery(sessionQuery(key))
  useDocumentTitle(data.session.title, data.session.project.name)
  return (
    <main id="main" tabIndex={-1}>
      <h1 className="page-title">{data.session.title}</h1>
    </main>
  )
}
