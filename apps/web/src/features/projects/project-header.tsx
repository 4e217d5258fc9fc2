import './project-header.css'
import '../../ui/figures/figures.css'
import type { FolderSearch } from '@gemini-dash/api'
import { useMutation } from '@tanstack/react-query'
import type { PathCandidate, Project } from 'gemini-sessions'
import { FolderSearch as FolderSearchIcon, Pencil } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useHasPrices } from '../../api/health.ts'
import { findFolder } from '../../api/projects.ts'
import { ExplainButton } from '../../content/explain/explain-button.tsx'
import { ExportSeveralButton } from '../../content/leaving/export-several-button.tsx'
import { MachineText } from '../../content/text/machine-text.tsx'
import {
  describeCost,
  formatAgo,
  formatCost,
  formatCount,
  formatMoment,
  formatPercent,
  formatPlural,
  formatTokens,
} from '../../lib/figures/format.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { CopyButton } from '../../ui/buttons/copy-button.tsx'
import { Disclosure } from '../../ui/controls/disclosure.tsx'
import { Figure } from '../../ui/figures/figure.tsx'
import { Badge } from '../../ui/signs/badge.tsx'
import { Icon } from '../../ui/signs/icon.tsx'
import { Notice } from '../../ui/states/notice.tsx'
import { pathEvidenceText, pathSourceText } from './path-evidence.ts'
import { ProjectForm } from './project-form.tsx'

const ENDS: Record<FolderSearch['looked']['end'], string> = {
  all: '',
  time: ' It stopped after 20 seconds.',
  folders: ' It stopped there: there are more folders than it looks at.',
  cancelled: ' It was stopped.',
}

/** A project's name, where it lies and how that is known, and what it came to. */
export function ProjectHeader({ project }: { project: Project }) {
  const now = useNow()
  const { usage, cost, lastActivity } = project
  const said = project.sessions - project.emptySessions
  const hasPrices = useHasPrices()
  const explains = { kind: 'usage', name: project.name, scope: { project: project.key } } as const
  const [isNaming, setIsNaming] = useState(false)
  return (
    <header className="project-header">
      <div className="project-title">
        <h1 className="page-title" dir="auto">
          {project.name}
        </h1>
        <Button look="quiet" onClick={() => setIsNaming(true)}>
          <Icon of={Pencil} small />
          Name and path
        </Button>
        <ExportSeveralButton which={{ project: project.key }} said={`project ${project.name}`} />
      </div>
      {isNaming && <ProjectForm project={project} onClose={() => setIsNaming(false)} />}
      {project.about !== null && (
        <p className="dim">
          No name is known. Its last session: <bdi>{project.about}</bdi>
        </p>
      )}
      <ProjectPath project={project} />
      <PathCandidates candidates={project.candidates} />
      {project.path === null && <FolderSearchButton key={project.key} projectKey={project.key} />}
      <dl className="figures pt-2">
        <Figure label={said === 1 ? 'Session' : 'Sessions'}>{formatCount(said)}</Figure>
        {usage && (
          <>
            <Figure
              label="Input tokens"
              title={`${formatCount(usage.input)} tokens`}
              note={usage.input > 0 && `${formatPercent(usage.cached / usage.input)} cached`}
            >
              <ExplainButton of={{ ...explains, figure: 'input' }}>{formatTokens(usage.input)}</ExplainButton>
            </Figure>
            <Figure
              label="Output and thoughts"
              title={`${formatCount(usage.output)} output, ${formatCount(usage.thoughts)} thoughts`}
            >
              <ExplainButton of={{ ...explains, figure: 'output' }}>
                {formatTokens(usage.output + usage.thoughts)}
              </ExplainButton>
            </Figure>
          </>
        )}
        {hasPrices && (
          <Figure label="Cost" title={describeCost(cost)}>
            <ExplainButton of={{ ...explains, figure: 'cost' }}>{formatCost(cost)}</ExplainButton>
          </Figure>
        )}
        <Figure label="Last activity" title={lastActivity === null ? undefined : formatMoment(lastActivity)}>
          {lastActivity === null ? 'no date' : formatAgo(lastActivity, now)}
        </Figure>
      </dl>
    </header>
  )
}

/** All that speaks for one path or another, folded away. */
function PathCandidates({ candidates }: { candidates: PathCandidate[] }) {
  if (candidates.length === 0) return null
  const paths = [...new Set(candidates.map(({ path }) => path))]
  return (
    <Disclosure head={<span>How the path is known</span>} headClassName="path-candidates-head">
      {() => (
        <dl className="path-candidates">
          {paths.map((path) => (
            <div key={path}>
              <dt>
                <code>
                  <MachineText text={path} />
                </code>
              </dt>
              {candidates.map(
                (candidate) =>
                  candidate.path === path && <dd key={candidate.evidence}>{evidenceText(candidate)}</dd>,
              )}
            </div>
          ))}
        </dl>
      )}
    </Disclosure>
  )
}

function evidenceText({ evidence, verified, sessions }: PathCandidate): string {
  const count = sessions === undefined ? '' : `, in ${formatPlural(sessions, 'session')}`
  return `From ${pathEvidenceText(evidence)}${count}: ${verified ? 'proven by its SHA-256' : 'not proven'}`
}

/** Where a project lies and how that is known; or the likeliest guess, said to be one; or its folder of sessions. */
function ProjectPath({ project }: { project: Project }) {
  const { path, pathSource, candidates, folders, isPathGone } = project
  const guess = candidates[0]
  if (path === null && guess === undefined) {
    return (
      <p className="project-path">
        <code>
          <MachineText text={folders[0] ?? ''} />
        </code>
        <span>where its sessions are; the path of the project is not known</span>
      </p>
    )
  }
  const shown = path ?? guess?.path ?? ''
  const isUnproven = pathSource === 'user' && !candidates.some((it) => it.evidence === 'user' && it.verified)
  return (
    <p className="project-path">
      <code>
        <MachineText text={shown} />
      </code>
      {path === null && guess ? (
        <span>likely, from {pathEvidenceText(guess.evidence)}; not proven</span>
      ) : (
        <span>{pathSourceText(pathSource)}</span>
      )}
      {isUnproven && <Badge tone="warning">The hash of the sessions is of another path</Badge>}
      {isPathGone === true && (
        <Badge tone="warning" title="There is no folder at this path on this computer now.">
          The folder is gone
        </Badge>
      )}
      <CopyButton text={shown} label="Copy path" />
    </p>
  )
}

/** A button that looks on this computer for the project's folder, and what came of it. */
function FolderSearchButton({ projectKey }: { projectKey: string }) {
  const running = useRef<AbortController | null>(null)
  const search = useMutation({
    mutationFn: () => {
      running.current = new AbortController()
      return findFolder(projectKey, running.current.signal)
    },
  })
  useEffect(() => () => running.current?.abort(), [])
  const isCancelled = running.current?.signal.aborted === true
  return (
    <div className="folder-search">
      {search.isPending ? (
        <Button onClick={() => running.current?.abort()}>Stop looking</Button>
      ) : (
        <Button onClick={() => search.mutate()}>
          <Icon of={FolderSearchIcon} small />
          Look for this folder
        </Button>
      )}
      <div role="status">
        {search.isPending && 'Looking where code usually is, below your home folder …'}
        {search.data && search.data.path === null && <Notice>{notFoundText(search.data)}</Notice>}
      </div>
      {search.isError && !isCancelled && <Notice tone="error">{search.error.message}</Notice>}
    </div>
  )
}

function notFoundText({ looked, project }: FolderSearch): string {
  const guesses = project.candidates.some(({ evidence }) => evidence === 'search')
  const outcome = guesses ? 'one is called like it, but none has its hash' : 'none has its hash'
  return `Looked at ${formatPlural(looked.folders, 'folder')} below ${looked.places.join(', ')}: ${outcome}.${ENDS[looked.end]}`
}
