import './saved-views.css'
import '../../ui/frames/rail-list.css'
import type { View, ViewList } from '@gemini-dash/api'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { OWN_VIEWS, useViewsChange } from '../../api/marks.ts'
import { runAction } from '../../lib/actions/use-actions.ts'
import { useHeldFocus } from '../../lib/hooks/use-held-focus.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { IconButton } from '../../ui/buttons/icon-button.tsx'
import { FailedLine } from '../../ui/states/failed-line.tsx'

/**
 * Filters of the list that have a name: two that everybody has, and those that the reader saved. They are asked for by what
 * waits for them: asked for anew here, what failed would be on its way again, and this taken away for it.
 */
export function SavedViews({ asked }: { asked: UseQueryResult<ViewList> }) {
  const views = asked.data?.views ?? []
  const here = useLocation({ select: ({ pathname, searchStr }) => `${pathname}${searchStr}` })
  const change = useViewsChange()
  const isNamed = [...OWN_VIEWS, ...views].some(({ href }) => href === here)
  const isNarrowed = here.includes('?')
  const nav = useHeldFocus<HTMLElement>()
  return (
    <nav aria-label="Views" ref={nav}>
      <h2 className="rail-heading">Views</h2>
      <ul className="rail-list">
        {OWN_VIEWS.map((view) => (
          <li key={view.href}>
            <ViewLink view={view} here={here} />
          </li>
        ))}
        {views.map((view) => (
          <li key={`${view.name} ${view.href}`} className="saved-view">
            <ViewLink view={view} here={here} />
            <IconButton
              icon={X}
              label={`Remove the view ${view.name}`}
              // by what it is: its place may be another's by now
              onClick={() =>
                change.mutate((all) =>
                  all.filter(({ name, href }) => name !== view.name || href !== view.href),
                )
              }
            />
          </li>
        ))}
      </ul>
      <FailedLine what="Your own could not be loaded." asked={asked} />
      {isNarrowed && !isNamed && (
        <Button look="quiet" onClick={() => runAction('saveView')}>
          Save this view
        </Button>
      )}
      {change.isError && (
        <p className="saved-views-problem" role="alert">
          {change.error.message}
        </p>
      )}
    </nav>
  )
}

function ViewLink({ view: { name, href }, here }: { view: View; here: string }) {
  return (
    <Link to={href} aria-current={href === here ? 'page' : undefined} title={name}>
      <span dir="auto">{name}</span>
    </Link>
  )
}
