import type { Doctor, FolderSearch, FoldersSearch } from '@gemini-dash/api'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { PathCandidate, Project } from 'gemini-sessions'
import { useEffect, useRef } from 'react'
import { findFolder, findFolders, projectsQuery } from '../../api/usage.ts'
import { MachineText } from '../../content/machine-text.tsx'
import { formatCount, formatPlural } from '../../lib/figures.ts'
import { pathEvidenceText } from '../../lib/session-words.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { FindingList, FindingRow } from './settings-section.tsx'

/** Projects with an unknown path, with candidates, and a search for their folders. */
export function UnknownProjects({ unclear }: { unclear: Doctor['unclearProjects'] }) {
  const projects = useQuery({ ...projectsQuery(), enabled: unclear.length > 0 }).data?.projects ?? []
  const search = useFolderSearch(findFolders)
  // a found project is no longer in the list, and the row says so
  if (unclear.length === 0 && search.data === undefined) return null
  return (
    <FindingRow
      place="projects"
      name="Unknown project"
      why={
        unclear.length === 1
          ? '1 folder name is a hash. No file says which path it is.'
          : `${formatPlural(unclear.length, 'folder')} named by a hash. No file says which paths they are.`
      }
      action="Locate…"
    >
      {() => (
        <>
          <FindingList items={unclear} keyOf={({ key }) => key}>
            {({ key, name, folders }) => {
              const project = projects.find((each) => each.key === key)
              return (
                <>
                  <div className="finding-head">
                    <Link to="/p/$project" params={{ project: key }} className="link" dir="auto">
                      {project?.about ?? name}
                    </Link>
                    <FindFolder projectKey={key} />
                  </div>
                  {folders.map((folder) => (
                    <p key={folder} className="where mono" dir="ltr">
                      <MachineText text={folder} />
                    </p>
                  ))}
                  <Candidates candidates={project?.candidates ?? []} />
                </>
              )
            }}
          </FindingList>
          {(unclear.length > 1 || search.data !== undefined) && (
            <div className="finding">
              <div>
                {search.isPending ? (
                  <Button onClick={search.stop}>Stop</Button>
                ) : (
                  <Button disabled={unclear.length === 0} onClick={search.start}>
                    Look for all folders
                  </Button>
                )}
              </div>
              <p role="status">
                {search.isPending && LOOKING}
                {search.data && foundText(search.data)}
                {search.problem}
              </p>
            </div>
          )}
        </>
      )}
    </FindingRow>
  )
}

const LOOKING = 'Searching the usual code folders in your home folder…'

/** Evidence for each candidate path. */
function Candidates({ candidates }: { candidates: PathCandidate[] }) {
  return candidates.map((candidate) => (
    <p key={`${candidate.path} ${candidate.evidence}`} className="advice">
      <code dir="ltr">
        <MachineText text={candidate.path} />
      </code>{' '}
      {evidenceText(candidate)}
    </p>
  ))
}

function evidenceText({ evidence, verified, sessions }: PathCandidate): string {
  const count = sessions === undefined ? '' : `, in ${formatPlural(sessions, 'session')}`
  return `From ${pathEvidenceText(evidence)}${count}: ${verified ? 'proven by its SHA-256' : 'not proven'}`
}

/** Searches this computer for a project's folder. */
function FindFolder({ projectKey }: { projectKey: Project['key'] }) {
  const search = useFolderSearch((signal) => findFolder(projectKey, signal))
  return (
    <>
      {search.isPending ? (
        <Button size="tiny" onClick={search.stop}>
          Stop
        </Button>
      ) : (
        <Button size="tiny" onClick={search.start}>
          Look for this folder
        </Button>
      )}
      <p className="where w-full" role="status">
        {search.isPending && LOOKING}
        {search.data && search.data.path === null && notFoundText(search.data)}
        {search.problem}
      </p>
    </>
  )
}

/** A search that can be stopped, and stops on unmount. */
function useFolderSearch<Found>(find: (signal: AbortSignal) => Promise<Found>) {
  const running = useRef<AbortController | null>(null)
  const search = useMutation({
    mutationFn: () => {
      running.current = new AbortController()
      return find(running.current.signal)
    },
  })
  useEffect(() => () => running.current?.abort(), [])
  const isStopped = running.current?.signal.aborted === true
  return {
    start: () => search.mutate(),
    stop: () => running.current?.abort(),
    isPending: search.isPending,
    data: search.data,
    problem: search.error === null || isStopped ? null : search.error.message,
  }
}

const ENDS: Record<FolderSearch['looked']['end'], string> = {
  all: '',
  time: ' Stopped after 20 seconds.',
  folders: ' Stopped: too many folders.',
  cancelled: ' Stopped.',
}

function foundText({ found, wanted, looked }: FoldersSearch): string {
  return `Found ${formatCount(found)} of ${formatCount(wanted)} in ${formatPlural(looked.folders, 'folder')}.${ENDS[looked.end]}`
}

function notFoundText({ looked, project }: FolderSearch): string {
  const guesses = project.candidates.some(({ evidence }) => evidence === 'search')
  const outcome = guesses ? 'a folder with this name exists, but its hash doesn’t match' : 'none has its hash'
  return `Searched ${formatPlural(looked.folders, 'folder')} in ${looked.places.join(', ')}: ${outcome}.${ENDS[looked.end]}`
}
