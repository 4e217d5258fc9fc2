import type { ErrorComponentProps } from '@tanstack/react-router'
import { ApiRequestError } from '../api/api-request-error.ts'
import { AmbiguousPage } from '../pages/ambiguous-page.tsx'
import { BrokenPage } from '../pages/broken-page.tsx'
import { NotFoundPage } from '../pages/not-found-page.tsx'

/** The page in place of one that threw: a refusal of the server by its code, anything else as what it is, a bug. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  if (error instanceof ApiRequestError) {
    if (error.code === 'ambiguous') return <AmbiguousPage sessionKeys={error.keys} />
    if (error.code === 'not-found') return <NotFoundPage what={error.message} />
  }
  return <BrokenPage error={error instanceof Error ? error : new Error(String(error))} onRetry={reset} />
}
