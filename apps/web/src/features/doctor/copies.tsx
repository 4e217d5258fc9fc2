import type { Doctor } from '@gemini-dash/api'
import { MachineText } from '../../content/text/machine-text.tsx'
import { formatPlural } from '../../lib/figures/format.ts'
import { FindingGroup } from './finding-group.tsx'
import { FindingList } from './finding-list.tsx'
import { SessionLink } from './session-link.tsx'

/** Files that only repeat what another one holds. */
export function Copies({ copies, total }: { copies: Doctor['copies']; total: number }) {
  if (total === 0) return null
  return (
    <FindingGroup
      title="Copies"
      tally={formatPlural(total, 'file')}
      lead="These repeat what another file of the same session holds. They are read, merged and counted once. The CLI makes them when it moves a project to a new folder, and when it resumes an old session."
    >
      <FindingList items={copies} keyOf={({ path }) => path}>
        {({ path, sessionKey, title }) => (
          <>
            <SessionLink sessionKey={sessionKey} title={title} />
            <p className="where mono" dir="ltr">
              <MachineText text={path} />
            </p>
          </>
        )}
      </FindingList>
    </FindingGroup>
  )
}
