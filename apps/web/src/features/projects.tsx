import './projects.css'
import '../ui/rail.css'
import type { ProjectChange } from '@gemini-dash/api'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { PathCandidate, Project } from 'gemini-sessions'
import { ChartColumn, Copy, Download, Ellipsis, Pencil } from 'lucide-react'
import { type FormEvent, Suspense, useState } from 'react'
import { changeProject, projectsQuery } from '../api/usage.ts'
import { MachineText } from '../content/machine-text.tsx'
import { changedTexts } from '../lib/browser.ts'
import { copyText, sayCopied } from '../lib/copy.ts'
import { formatCount, formatPlural } from '../lib/figures.ts'
import { pathEvidenceText, pathSourceText } from '../lib/session-words.ts'
import { Button, CopyButton, MenuButton } from '../ui/buttons/button.tsx'
import { MenuItem } from '../ui/buttons/menu-item.tsx'
import { EditDialog } from '../ui/dialog.tsx'
import { Disclosure } from '../ui/disclosure.tsx'
import { Badge, Icon } from '../ui/icons.tsx'
import { lazyDialog } from '../ui/lazy.tsx'
import { FailedLine } from '../ui/states.tsx'

const ExportSeveralDialog = lazyDialog(() => import('../content/export/export-several-dialog.tsx'))

/** Menu of a project. */
export function ProjectMenu({ project }: { project: Project }) {
  const { key, name, path } = project
  const [opened, setOpened] = useState<'form' | 'export' | null>(null)
  const close = () => setOpened(null)
  return (
    <>
      <MenuButton
        className="icon-button"
        label="More for this project"
        isAtStart
        face={<Icon of={Ellipsis} />}
      >
        <MenuItem icon={Pencil} label="Edit name and path" onChoose={() => setOpened('form')} />
        {path !== null && (
          <MenuItem icon={Copy} label="Copy path" onChoose={() => void copyText(path).then(sayCopied)} />
        )}
        <MenuItem
          icon={ChartColumn}
          label="Usage"
          href={`/usage?range=all&project=${encodeURIComponent(key)}`}
        />
        <MenuItem icon={Download} label="Export sessions…" onChoose={() => setOpened('export')} />
      </MenuButton>
      {opened === 'form' && <ProjectForm project={project} onClose={close} />}
      {opened === 'export' && (
        <Suspense>
          <ExportSeveralDialog which={{ project: key }} said={`project ${name}`} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

/** Shows a project's location and lets the user change its name or path; an empty field resets it, an unchanged one is not sent. */
function ProjectForm({ project, onClose }: { project: Project; onClose: () => void }) {
  const change = useMutation({
    mutationFn: (fields: ProjectChange) => changeProject(project.key, fields),
    onSuccess: onClose,
  })
  const [said] = useState({
    name: project.nameSource === 'user' ? project.name : '',
    path: project.pathSource === 'user' ? (project.path ?? '') : '',
  })
  function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const changed = Object.entries(changedTexts(new FormData(event.currentTarget), said))
    if (changed.length === 0) onClose()
    else change.mutate(Object.fromEntries(changed.map(([name, text]) => [name, text || null])))
  }
  return (
    <EditDialog
      title="Edit name and path"
      form={{ onSubmit: save }}
      error={change.error}
      isSaving={change.isPending}
      onCancel={onClose}
      onClose={onClose}
    >
      <ProjectFolder project={project} />
      <Field
        name="name"
        label="Name"
        value={said.name}
        hint={project.nameSource === 'user' ? 'Leave empty for the name of its folder.' : project.name}
      />
      <Field
        name="path"
        label="Path"
        value={said.path}
        hint={project.path ?? project.candidates[0]?.path ?? '/home/ada/code/shop'}
      />
    </EditDialog>
  )
}

interface FieldProps {
  name: string
  label: string
  value: string
  hint: string
}

function Field({ name, label, value, hint }: FieldProps) {
  return (
    <label className="dialog-field">
      <span>{label}</span>
      <input
        name={name}
        type="text"
        dir="auto"
        defaultValue={value}
        placeholder={hint}
        autoComplete="off"
        spellCheck={false}
      />
    </label>
  )
}

/** A project's folder and how it is known, or a search for it. */
function ProjectFolder({ project }: { project: Project }) {
  return (
    <div className="project-folder">
      {project.about !== null && (
        <p className="dim">
          No name is known. Its last session: <bdi>{project.about}</bdi>
        </p>
      )}
      <ProjectPath project={project} />
      <PathCandidates candidates={project.candidates} />
      {project.path === null && (
        <p>
          <Link to="/settings/{-$section}" params={{ section: 'storage' }} hash="projects" className="link">
            Look for this folder
          </Link>
        </p>
      )}
    </div>
  )
}

/** Evidence for each candidate path, collapsed. */
function PathCandidates({ candidates }: { candidates: PathCandidate[] }) {
  if (candidates.length === 0) return null
  const paths = [...new Set(candidates.map(({ path }) => path))]
  return (
    <Disclosure head={<span>How we found this path</span>} headClassName="path-candidates-head label">
      {() => (
        <dl className="path-candidates label">
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

/** A project's path and how it is known; else the likeliest guess, marked as such; else its folder of sessions. */
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

/** More than this many are collapsed. */
const SHOWN_AT_FIRST = 5

interface Props {
  /** The project whose sessions are listed. */
  currentKey: string | undefined
  /** Whether all sessions are listed. */
  isOfAll: boolean
}

/** All projects with their sessions, largest first. */
export function ProjectTable({ currentKey, isOfAll }: Props) {
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
      </h2>
      <ul className="rail-list">
        <li>
          <Link to="/" aria-current={isOfAll ? 'page' : undefined}>
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
    </nav>
  )
}

/** A project known only by a hash has no name. */
function ProjectName({ project: { name, about } }: { project: Project }) {
  return <span dir="auto">{about === null ? name : 'Unknown project'}</span>
}
