import { useNavigate } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, MouseEvent } from 'react'
import { plainSearchCodec } from '../../../lib/address/search-params.ts'

type Props = Pick<
  AnchorHTMLAttributes<HTMLAnchorElement>,
  'children' | 'className' | 'tabIndex' | 'aria-label'
> & {
  /** Days `YYYY-MM-DD`; `to` is not included. */
  days: { from?: string; to?: string }
  /** Of the week, as the API names them. */
  hour?: string
  model?: string
  projectKey?: string
  /** Its place among things that arrow keys walk. */
  'data-cell'?: string
}

/**
 * Leads to the list of the sessions behind a figure: of a project, or of all. A plain anchor, not the router's link: a
 * usage page has six hundred, and theirs took a third of the time to draw it.
 */
export function SessionsLink({ days, hour, model, projectKey, children, ...rest }: Props) {
  const navigate = useNavigate()
  const path = projectKey === undefined ? '/' : `/p/${encodeURIComponent(projectKey)}`
  const href = `${path}${plainSearchCodec.stringifySearch({ ...days, hour, model })}`
  function open(event: MouseEvent) {
    // with a key held it is the browser's to open, in a tab or window of its own
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void navigate({ href })
  }
  return (
    <a href={href} onClick={open} {...rest}>
      {children}
    </a>
  )
}
