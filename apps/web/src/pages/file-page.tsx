import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { projectsQuery } from '../api/projects.ts'
import { FileChoice } from '../features/file-history/file-choice.tsx'
import { FileHistoryView } from '../features/file-history/file-history.tsx'
import { FirstRun, useEmptyHomes } from '../features/first-run/first-run.tsx'
import { useDocumentTitle } from '../lib/hooks/use-document-title.ts'
import { CrumbHere, CrumbSeparator, Crumbs } from '../ui/controls/crumbs.tsx'

const route = getRouteApi('/file')

/** The history of one file, over all sessions. */
export function FilePage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const projects = useQuery(projectsQuery()).data?.projects
  const project = projects?.find(({ key }) => key === search.project)?.name ?? search.project
  const name = search.path?.split(/[\\/]/).at(-1)
  const emptyHomes = useEmptyHomes()
  useDocumentTitle(name, search.path === undefined ? 'Files' : 'File history')
  if (search.path === undefined && emptyHomes !== null) return <FirstRun homes={emptyHomes} />
  if (search.path === undefined)
    return (
      <main id="main" tabIndex={-1}>
        <FileChoice
          q={search.q ?? ''}
          onType={(text) => void navigate({ search: { q: text || undefined }, replace: true })}
        />
      </main>
    )
  return (
    <main id="main" tabIndex={-1}>
      <Crumbs>
        {search.project !== undefined && (
          <>
            <CrumbSeparator />
            <Link to="/p/$project" params={{ project: search.project }}>
              {project}
            </Link>
          </>
        )}
        <CrumbHere>{name ?? search.path}</CrumbHere>
      </Crumbs>
      <FileHistoryView
        path={search.path}
        search={search}
        onShow={(show) =>
          void navigate({ search: (before) => ({ ...before, show, pages: undefined }), replace: true })
        }
        onMore={(pages) =>
          void navigate({ search: (before) => ({ ...before, pages }), replace: true, resetScroll: false })
        }
      />
    </main>
  )
}
