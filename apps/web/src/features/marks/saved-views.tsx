import './saved-views.css'
import '../../ui/frames/rail-list.css'
import type { View } from '@gemini-dash/api'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { changeViews, OWN_VIEWS, viewsQuery } from '../../api/marks.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { IconButton } from '../../ui/buttons/icon-button.tsx'

/** Filters of the list that have a name: two that everybody has, and those that the reader saved. */
export function SavedViews() {
  const client = useQueryClient()
  const views = useQuery(viewsQuery()).data?.views ?? []
  const here = useLocation({ select: ({ pathname, searchStr }) => `${pathname}${searchStr}` })
  const change = useMutation({
    // Another tab may have saved one meanwhile.
    mutationFn: async (toViews: (views: View[]) => View[]) =>
      changeViews(toViews((await client.fetchQuery({ ...viewsQuery(), staleTime: 0 })).views)),
    onSuccess: (list) => client.setQueryData(viewsQuery().queryKey, list),
  })
  const isNamed = [...OWN_VIEWS, ...views].some(({ href }) => href === here)
  const isNarrowed = here.includes('?')
  return (
    <nav aria-label="Views">
      <h2 className="rail-heading">Views</h2>
      <ul className="rail-list">
        {OWN_VIEWS.map((view) => (
          <li key={view.href}>
            <ViewLink view={view} here={here} />
          </li>
        ))}
        {views.map((view, place) => (
          <li key={`${view.name} ${view.href}`} className="saved-view">
            <ViewLink view={view} here={here} />
            <IconButton
              icon={X}
              label={`Remove the view ${view.name}`}
              onClick={() => change.mutate((all) => all.toSpliced(place, 1))}
            />
          </li>
        ))}
      </ul>
      {isNarrowed && !isNamed && (
        <SaveView onSave={(name) => change.mutate((all) => [...all, { name, href: here }])} />
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

/** A button that becomes a line for the name. */
function SaveView({ onSave }: { onSave: (name: string) => void }) {
  const [isOpen, setIsOpen] = useState(false)
  function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name') ?? '').trim()
    if (name === '') return
    setIsOpen(false)
    onSave(name)
  }
  if (!isOpen)
    return (
      <Button look="quiet" onClick={() => setIsOpen(true)}>
        Save this view
      </Button>
    )
  return (
    <form className="save-view" onSubmit={save}>
      <input
        name="name"
        aria-label="Name of the view"
        placeholder="Name"
        maxLength={100}
        autoComplete="off"
        ref={(input) => input?.focus()}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setIsOpen(false)
        }}
      />
      <Button type="submit">Save</Button>
    </form>
  )
}
