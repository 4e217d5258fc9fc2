import './project-header.css'
import '../../ui/figures/figures.css'
import type { Project } from 'gemini-sessions'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { useHasPrices } from '../../api/use-has-prices.ts'
import { ExplainButton } from '../../content/explain/explain-button.tsx'
import {
  describeCost,
  formatAgo,
  formatCost,
  formatCount,
  formatMoment,
  formatPercent,
  formatTokens,
} from '../../lib/figures/format.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Figure } from '../../ui/figures/figure.tsx'
import { Icon } from '../../ui/signs/icon.tsx'
import { FolderSearchButton } from './folder-search.tsx'
import { PathCandidates } from './path-candidates.tsx'
import { ProjectForm } from './project-form.tsx'
import { ProjectPath } from './project-path.tsx'

/** A project's name, where it lies and how that is known, and what it came to. */
export function ProjectHeader({ project }: { project: Project }) {
  const now = useNow()
  const { usage, cost, lastActivity } = project
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
      </div>
      {isNaming && <ProjectForm project={project} onClose={() => setIsNaming(false)} />}
      <ProjectPath project={project} />
      <PathCandidates candidates={project.candidates} />
      {project.path === null && <FolderSearchButton key={project.key} projectKey={project.key} />}
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
          {lastActivity === null ? 'no time recorded' : formatAgo(lastActivity, now)}
        </Figure>
      </dl>
    </header>
  )
}
