import { Link } from '@tanstack/react-router'
import type { AnchorHTMLAttributes } from 'react'

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

/** Leads to the list of the sessions behind a figure: of a project, or of all. */
export function SessionsLink({ days, hour, model, projectKey, ...rest }: Props) {
  const search = { ...days, hour, model }
  return projectKey === undefined ? (
    <Link to="/" search={search} {...rest} />
  ) : (
    <Link to="/p/$project" params={{ project: projectKey }} search={search} {...rest} />
  )
}
