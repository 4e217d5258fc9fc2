import './list-strip.css'
import '../../ui/figures/figures.css'
import type { SessionList } from '@gemini-dash/api'
import { Link } from '@tanstack/react-router'
import type { SessionCriteria } from '../../api/sessions.ts'
import { ExplainButton } from '../../content/explain/explain-button.tsx'
import type { FigureName } from '../../content/explain/explain-context.ts'
import { LIST_KIND_LABELS, type ListSearch } from '../../lib/address/list-search.ts'
import {
  describeCost,
  formatCost,
  formatCount,
  formatPercent,
  formatTokens,
} from '../../lib/figures/format.ts'
import { countFailed, describeFailures } from '../../lib/session/describe-failures.ts'
import { Figure } from '../../ui/figures/figure.tsx'
import { activeFilters } from './active-filters.ts'
import { CostSparkline } from './cost-sparkline.tsx'
import { countOfKind } from './offered-kinds.ts'

interface Props {
  list: SessionList | undefined
  search: ListSearch
  filter: SessionCriteria
  project: { key: string; name: string } | undefined
  hasPrices: boolean
}

/** What the sessions of a list came to, all of them and not only those that are loaded, and which filters they passed. */
export function ListStrip({ list, search, filter, project, hasPrices }: Props) {
  const filters = activeFilters(search)
  // the head of a project says what it came to as a whole
  if (project !== undefined && filters.length === 0) return null
  if (list === undefined) return <div className="summary" />
  const { usage, cost, toolCalls, failures } = list.sums
  const others = countFailed({ ...failures, tools: 0 })
  const noun = LIST_KIND_LABELS[search.kind ?? 'main']
  const words = filters.filter(({ isKind }) => isKind !== true).map((each) => each.words)
  const name = [noun, ...(project ? [`project ${project.name}`] : []), ...words].join(' \u00b7 ')
  const explain = (figure: FigureName, text: string) => (
    <ExplainButton of={{ kind: 'list', name, filter, figure }}>{text}</ExplainButton>
  )
  const isOfDays = filters.every(({ change }) => 'from' in change)
  return (
    <div className="summary">
      <dl className="figures">
        <Figure
          label={name}
          note={isFiltered(list, search, project) && `of ${formatCount(allOf(list, search))}`}
        >
          {formatCount(list.total)}
        </Figure>
        <Figure
          label="Input tokens"
          title={`${formatCount(usage.input)} tokens`}
          note={usage.input > 0 && `${formatPercent(usage.cached / usage.input)} cached`}
        >
          {explain('input', formatTokens(usage.input))}
        </Figure>
        <Figure
          label="Output and thoughts"
          className="roomy-only"
          title={`${formatCount(usage.output)} output, ${formatCount(usage.thoughts)} thoughts`}
        >
          {explain('output', formatTokens(usage.output + usage.thoughts))}
        </Figure>
        <Figure
          label="Tool calls"
          note={
            failures.tools > 0 && (
              <FailedLink search={search} project={project} title={describeFailures(failures).join(', ')}>
                {`${formatCount(failures.tools)} failed`}
              </FailedLink>
            )
          }
        >
          {formatCount(toolCalls)}
        </Figure>
        {others > 0 && (
          <Figure
            label="Failed requests"
            className="roomy-only"
            title={describeFailures({ ...failures, tools: 0 }).join(', ')}
            note={
              <FailedLink search={search} project={project} title="Show these sessions">
                show
              </FailedLink>
            }
          >
            {formatCount(others)}
          </Figure>
        )}
        {hasPrices && (
          <Figure
            label="Cost"
            title={describeCost(cost)}
            note={
              <>
                {cost.unpricedCalls > 0 && `${formatCount(cost.unpricedCalls)} unpriced `}
                {cost.usd !== null && <WhyLink search={search} projectKey={project?.key} />}
              </>
            }
          >
            {explain('cost', formatCost({ usd: cost.usd, unpricedCalls: 0 }))}
          </Figure>
        )}
      </dl>
      {hasPrices && project === undefined && isOfDays && <CostSparkline from={filter.from} to={filter.to} />}
    </div>
  )
}

/** To where the cost of the same sessions went, where the page of usage can tell it: of a range of days, and of no other filter. */
function WhyLink({ search, projectKey }: { search: ListSearch; projectKey: string | undefined }) {
  const { range, from, to } = search
  const isOfRange = activeFilters(search).every(({ change }) => 'range' in change)
  if (!isOfRange || range === 'today' || from !== undefined || to !== undefined) return null
  return (
    <Link to="/usage" search={{ range: range ?? 'all', project: projectKey }} className="link">
      where it went
    </Link>
  )
}

/** How many there are of the kind that is listed, whatever the other filters. */
function allOf({ kinds }: SessionList, { kind }: ListSearch): number {
  return countOfKind(kinds, kind ?? 'main')
}

function isFiltered(list: SessionList, search: ListSearch, project: Props['project']): boolean {
  return project !== undefined || list.total < allOf(list, search)
}

interface FailedLinkProps extends Pick<Props, 'search' | 'project'> {
  title: string
  children: string
}

/** The sessions of the same list in which something failed, most failures first; a row's own figure leads on to them. */
function FailedLink({ search, project, title, children }: FailedLinkProps) {
  const shared = {
    search: { ...search, has: 'errors', sort: 'failed' },
    className: 'failure-link',
    title,
  } as const
  return project === undefined ? (
    <Link to="/" {...shared}>
      {children}
    </Link>
  ) : (
    <Link to="/p/$project" params={{ project: project.key }} {...shared}>
      {children}
    </Link>
  )
}
