import './saved-views.css'
import '../../ui/frames/rail-list.css'
import type { View } from '@gemini-dash/api'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { OWN_VIEWS, useViewsChange, viewsQuery } from '../../api/marks.ts'
import { runAction } from '../../lib/actions/use-actions.ts'
import { useHeldFocus } from '../../lib/hooks/use-held-focus.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { IconButton } from '../../ui/buttons/icon-button.tsx'

/** Filters of the list that have a name: two that everybody has, and those that the reader saved. */
export function SavedViews() {
  const views = useQuery(viewsQuery()).data?.views ?? []
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
