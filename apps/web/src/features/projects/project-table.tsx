import './project-list.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { projectsQuery } from '../../api/projects.ts'
import { formatCount } from '../../lib/figures/format.ts'
import { Button } from '../../ui/buttons/button.tsx'

/** More than this many are folded away behind a button. */
const SHOWN_AT_FIRST = 12

/** All projects with their sessions, the largest first. */
export function ProjectTable({ currentKey }: { currentKey?: string }) {
  const { data, isError } = useQuery(projectsQuery())
  const [showsAll, setShowsAll] = useState(false)
  if (!data) return isError ? <p className="dim px-2 text-xs">The projects could not be loaded.</p> : null
  const projects = [...data.projects].sort((a, b) => b.sessions - a.sessions || a.name.localeCompare(b.name))
  const shown = showsAll
    ? projects
    : projects.filter((project, position) => position < SHOWN_AT_FIRST || project.key === currentKey)
  const hiddenCount = projects.length - shown.length
  const sessionCount = projects.reduce((sum, project) => sum + project.sessions, 0)
  return (
    <nav aria-label="Projects">
      <h2 className="rail-heading">
        <span>Projects</span>
        <span>{formatCount(data.total)}</span>
      </h2>
      <ul className="project-list">
        <li>
          <Link to="/" aria-current={currentKey === undefined ? 'page' : undefined}>
            <span>All projects</span>
            <span className="count">{formatCount(sessionCount)}</span>
          </Link>
        </li>
        {shown.map((project) => (
          <li key={project.key}>
            <Link
              to="/p/$project"
              params={{ project: project.key }}
              aria-current={project.key === currentKey ? 'page' : undefined}
              title={project.path ?? undefined}
            >
              <span dir="auto">{project.name}</span>
              <span className="count">{formatCount(project.sessions)}</span>
            </Link>
          </li>
        ))}
      </ul>
      {hiddenCount > 0 && (
        <Button look="quiet" onClick={() => setShowsAll(true)}>
          {formatCount(hiddenCount)} more
        </Button>
      )}
    </nav>
  )
}
