import type { Doctor } from '@gemini-dash/api'
import { MachineText } from '../../content/text/machine-text.tsx'
import { FindingGroup } from './finding-group.tsx'
import { FindingList } from './finding-list.tsx'

/** Which Gemini CLI this program knows, which one is installed, and whether it loses its sessions in a container. */
export function CliVersion({ cli, sandboxes }: Pick<Doctor, 'cli' | 'sandboxes'>) {
  return (
    <FindingGroup title="Gemini CLI" lead={<MachineText text={cli.text} />}>
      {cli.installed !== null && (
        <p className="finding where mono" dir="ltr">
          <MachineText text={cli.installed.path} />
        </p>
      )}
      <FindingList items={sandboxes} keyOf={({ source }) => source}>
        {({ text, advice }) => (
          <>
            <p>
              <b className="tone-warning">Sessions are lost.</b> <MachineText text={text} />
            </p>
            <p className="advice">{advice}</p>
          </>
        )}
      </FindingList>
    </FindingGroup>
  )
}
