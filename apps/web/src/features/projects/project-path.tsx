import type { Project } from 'gemini-sessions'
import { MachineText } from '../../content/text/machine-text.tsx'
import { CopyButton } from '../../ui/buttons/copy-button.tsx'
import { Badge } from '../../ui/signs/badge.tsx'
import { pathEvidenceText, pathSourceText } from './path-evidence.ts'

/** Where a project lies and how that is known; or the likeliest guess, said to be one; or its folder of sessions. */
export function ProjectPath({ project }: { project: Project }) {
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
