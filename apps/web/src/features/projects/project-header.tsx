import './project-header.css'
import '../../ui/figures.css'
import type { Project } from 'gemini-sessions'
import {
  describeCost,
  formatAgo,
  formatCost,
  formatCount,
  formatMoment,
  formatPercent,
  formatTokens,
} from '../../lib/format.ts'
import { useNow } from '../../lib/use-now.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Figure } from '../../ui/figure.tsx'
import { pathEvidence } from './path-evidence.ts'

/** A project's name, where it lies and how that is known, and what it came to. */
export function ProjectHeader({ project }: { project: Project }) {
  const now = useNow()
  const { usage, cost, lastActivity } = project
  const place = project.path ?? project.folders[0]
  return (
    <header className="project-header">
      <h1 className="page-title" dir="auto">
        {project.name}
      </h1>
      {place !== undefined && (
        <p className="project-path">
          <code>{place}</code>
          <span>{pathEvidence(project.pathSource)}</span>
          <CopyButton text={place} label="Copy path" />
        </p>
      )}
      <dl className="figures pt-2">
        <Figure label={project.sessions === 1 ? 'Session' : 'Sessions'}>
          {formatCount(project.sessions)}
        </Figure>
        {usage && (
          <>
            <Figure
              label="Input tokens"
              title={`${formatCount(usage.input)} tokens`}
              note={usage.input > 0 && `${formatPercent(usage.cached / usage.input)} cached`}
            >
              {formatTokens(usage.input)}
            </Figure>
            <Figure
              label="Output and thoughts"
              title={`${formatCount(usage.output)} output, ${formatCount(usage.thoughts)} thoughts`}
            >
              {formatTokens(usage.output + usage.thoughts)}
            </Figure>
          </>
        )}
        <Figure label="Cost" title={describeCost(cost)}>
          {formatCost(cost)}
        </Figure>
        {lastActivity !== null && (
          <Figure label="Last activity" title={formatMoment(lastActivity)}>
            {formatAgo(lastActivity, now)}
          </Figure>
        )}
      </dl>
    </header>
  )
}
