import './disk.css'
import type { DiskKind, DiskUse, Doctor } from '@gemini-dash/api'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { keepQuery } from '../../../api/keep.ts'
import { MachineText } from '../../../content/text/machine-text.tsx'
import { formatCount, formatPlural, formatSize } from '../../../lib/figures/format.ts'
import { ScrollRegion } from '../../../ui/frames/scroll-region.tsx'
import { FindingGroup } from '../finding-group.tsx'
import { FindingList } from '../finding-list.tsx'
import { SessionLink } from '../session-link.tsx'

/** The rest is one row. */
const FIRST_PROJECTS = 12

/** What is rare or small stands together. */
const COLUMNS: readonly { title: string; kinds: readonly DiskKind[] }[] = [
  { title: 'Logs', kinds: ['logs'] },
  { title: 'Sub-agents', kinds: ['subagents'] },
  { title: 'Tool outputs', kinds: ['outputs'] },
  { title: 'Pictures', kinds: ['pictures'] },
  { title: 'Restore points', kinds: ['restore-points'] },
  { title: 'Other', kinds: ['plans', 'debug', 'other'] },
]

type Amounts = Pick<DiskUse, 'kinds' | 'sizeBytes'>

/** What the homes take on disk, by project and kind, and what takes most. */
export function DiskPanel({ disk, cache }: Pick<Doctor, 'disk' | 'cache'>) {
  const { data: keep } = useQuery(keepQuery())
  if (disk.files === 0) return null
  return (
    <FindingGroup
      place="disk"
      title="Disk use"
      tally={`${disk.isComplete ? '' : 'at least '}${formatSize(disk.sizeBytes)} in ${formatPlural(disk.files, 'file')}`}
      lead="What Gemini CLI has left in its homes, counted by names and sizes. gemini-dash deletes nothing there."
    >
      <ProjectTable disk={disk} />
      <GoneFolders disk={disk} />
      {disk.largest.length > 0 && (
        <>
          <h3 className="finding disk-heading">Largest tool outputs</h3>
          <FindingList items={disk.largest} keyOf={({ path }) => path}>
            {({ path, sizeBytes, sessionKey, title }) => (
              <>
                <div className="finding-head">
                  {sessionKey === null ? (
                    <span>Of a session that is not known</span>
                  ) : (
                    <SessionLink sessionKey={sessionKey} title={title ?? sessionKey} />
                  )}
                  <span className="tabular">{formatSize(sizeBytes)}</span>
                </div>
                <p className="where mono" dir="ltr">
                  <MachineText text={path} />
                </p>
              </>
            )}
          </FindingList>
        </>
      )}
      <div className="finding">
        <div className="finding-head">
          <p>What gemini-dash has made beside it: the index, and the archive</p>
          <span className="tabular">
            {formatSize(cache.sizeBytes)}, {keep === undefined ? '-' : formatSize(keep.storedBytes)}
          </span>
        </div>
      </div>
    </FindingGroup>
  )
}

/** Those whose folder was deleted or moved since: what they left is of nothing that is there. */
function GoneFolders({ disk: { projects } }: Pick<Doctor, 'disk'>) {
  const gone = projects.filter(({ isPathGone }) => isPathGone === true)
  if (gone.length === 0) return null
  const sizeBytes = gone.reduce((sum, project) => sum + project.sizeBytes, 0)
  return (
    <p className="finding advice">
      The folders of {formatPlural(gone.length, 'project')} are not on this computer;{' '}
      {gone.length === 1 ? 'it takes' : 'they take'} {formatSize(sizeBytes)}.
    </p>
  )
}

function ProjectTable({ disk }: Pick<Doctor, 'disk'>) {
  const columns = COLUMNS.filter(({ kinds }) => bytesOf(disk, kinds) > 0)
  const shown = disk.projects.slice(0, FIRST_PROJECTS)
  const rest = disk.projects.slice(FIRST_PROJECTS)
  const cells = (amounts: Amounts) => (
    <>
      {columns.map(({ title, kinds }) => (
        <td key={title} className="tabular text-right disk-kind">
          {written(bytesOf(amounts, kinds))}
        </td>
      ))}
      <td className="tabular main text-right">{formatSize(amounts.sizeBytes)}</td>
    </>
  )
  return (
    <ScrollRegion label="Disk use by project">
      <table className="data-table">
        <thead>
          <tr>
            <th scope="col" className="text-left">
              Project
            </th>
            {columns.map(({ title }) => (
              <th key={title} scope="col" className="text-right disk-kind">
                {title}
              </th>
            ))}
            <th scope="col" className="text-right">
              In all
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((project) => (
            <tr key={project.key ?? project.name}>
              <th scope="row">
                <ProjectName project={project} />
              </th>
              {cells(project)}
            </tr>
          ))}
          {rest.length > 0 && (
            <tr>
              <th scope="row">{formatCount(rest.length)} more</th>
              {cells(together(rest))}
            </tr>
          )}
          <tr>
            <th scope="row">All</th>
            {cells(disk)}
          </tr>
        </tbody>
      </table>
    </ScrollRegion>
  )
}

function ProjectName({ project }: { project: DiskUse['projects'][number] }) {
  const { key, name, path, isPathGone } = project
  if (key === null) return <span title="It belongs to no session that is there">{name}</span>
  return (
    <>
      <Link to="/p/$project" params={{ project: key }} dir="auto" title={path ?? undefined}>
        {name}
      </Link>
      {isPathGone === true && <span className="dim"> folder gone</span>}
    </>
  )
}

function bytesOf({ kinds }: Pick<DiskUse, 'kinds'>, wanted: readonly DiskKind[]): number {
  return kinds.reduce((sum, { kind, sizeBytes }) => sum + (wanted.includes(kind) ? sizeBytes : 0), 0)
}

function together(projects: DiskUse['projects']): Amounts {
  return {
    kinds: projects.flatMap(({ kinds }) => kinds),
    sizeBytes: projects.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  }
}

function written(sizeBytes: number): string {
  return sizeBytes === 0 ? '-' : formatSize(sizeBytes)
}
