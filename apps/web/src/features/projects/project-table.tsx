import '../../ui/frames/rail-list.css'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Project } from 'gemini-sessions'
import { useEffect, useRef, useState } from 'react'
import { findFolders, projectsQuery } from '../../api/projects.ts'
import { formatCount, formatPlural } from '../../lib/figures/format.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { FailedLine } from '../../ui/states/failed-line.tsx'

/** More than this many are folded away behind a button. */
const SHOWN_AT_FIRST = 12

/** All projects with their sessions, the largest first. */
export function ProjectTable({ currentKey }: { currentKey?: string }) {
  const asked = useQuery(projectsQuery())
  const { data } = asked
  const [showsAll, setShowsAll] = useState(false)
  if (!data) return <FailedLine what="The projects could not be loaded." asked={asked} />
  const projects = data.projects
    .map((project) => ({ ...project, said: project.sessions - project.emptySessions }))
    .sort((a, b) => b.said - a.said || a.name.localeCompare(b.name))
  const shown = showsAll
    ? projects
    : projects.filter((project, position) => position < SHOWN_AT_FIRST || project.key === currentKey)
  const hiddenCount = projects.length - shown.length
  const sessionCount = projects.reduce((sum, project) => sum + project.said, 0)
  return (
    <nav aria-label="Projects">
      <h2 className="rail-heading">
        <span>Projects</span>
        <span>{formatCount(data.total)}</span>
      </h2>
      <ul className="rail-list">
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
              title={project.path ?? project.about ?? undefined}
            >
              <ProjectName project={project} />
              <span className="count">{formatCount(project.said)}</span>
            </Link>
          </li>
        ))}
      </ul>
      {hiddenCount > 0 && (
        <Button look="quiet" onClick={() => setShowsAll(true)}>
          {formatCount(hiddenCount)} more
        </Button>
      )}
      <FindFolders unplaced={projects.filter(({ path }) => path === null).length} />
    </nav>
  )
}

/** Of a project whose folder is named by a hash, what its last session was about says more. */
function ProjectName({ project: { name, about } }: { project: Project }) {
  if (about === null) return <span dir="auto">{name}</span>
  return (
    <span className="project-about">
      No name: <bdi>{about}</bdi>
    </span>
  )
}

/** Looks on this computer for the folders of projects whose path is not known. What is found is told by their names. */
function FindFolders({ unplaced }: { unplaced: number }) {
  const running = useRef<AbortController | null>(null)
  const search = useMutation({
    mutationFn: () => {
      running.current = new AbortController()
      return findFolders(running.current.signal)
    },
  })
  useEffect(() => () => running.current?.abort(), [])
  const isCancelled = running.current?.signal.aborted === true
  if (unplaced === 0 && !search.isPending && search.data === undefined) return null
  return (
    <div className="find-folders">
      {search.isPending ? (
        <Button look="quiet" onClick={() => running.current?.abort()}>
          Stop looking
        </Button>
      ) : (
        unplaced > 0 && (
          <Button look="quiet" onClick={() => search.mutate()}>
            {unplaced === 1
              ? 'Find the folder of 1 project'
              : `Find the folders of ${formatCount(unplaced)} projects`}
          </Button>
        )
      )}
      <p role="status">
        {search.isPending && 'Looking where code usually is, below your home folder \u2026'}
        {search.data &&
          `Looked at ${formatPlural(search.data.looked.folders, 'folder')}: found ${formatCount(search.data.found)} of ${formatCount(search.data.wanted)}.`}
        {search.isError && !isCancelled && search.error.message}
      </p>
    </div>
  )
}
