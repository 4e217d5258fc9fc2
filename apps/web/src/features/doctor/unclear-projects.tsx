import type { Doctor } from '@gemini-dash/api'
import { Link } from '@tanstack/react-router'
import { MachineText } from '../../content/text/machine-text.tsx'
import { formatPlural } from '../../lib/figures/format.ts'
import { FindingGroup } from './finding-group.tsx'
import { FindingList } from './finding-list.tsx'

/** Projects of which nothing on disk tells where they are. */
export function UnclearProjects({ projects }: { projects: Doctor['unclearProjects'] }) {
  if (projects.length === 0) return null
  return (
    <FindingGroup
      title="Projects without a known path"
      tally={formatPlural(projects.length, 'project')}
      lead="Their folders are named by a code that only the path itself explains, and no file names that path."
    >
      <FindingList items={projects} keyOf={({ key }) => key}>
        {({ key, name, folders }) => (
          <>
            <Link to="/p/$project" params={{ project: key }} className="link" dir="auto">
              {name}
            </Link>
            {folders.map((folder) => (
              <p key={folder} className="where mono" dir="ltr">
                <MachineText text={folder} />
              </p>
            ))}
          </>
        )}
      </FindingList>
    </FindingGroup>
  )
}
