import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ApiRequestError } from '../api/request/api-request-error.ts'
import { connection } from '../api/request/connection.ts'
import { AmbiguousPage } from '../pages/refused/ambiguous-page.tsx'
import { BrokenPage } from '../pages/refused/broken-page.tsx'
import { ForbiddenPage } from '../pages/refused/forbidden-page.tsx'
import { NotFoundPage } from '../pages/refused/not-found-page.tsx'

/** The page in place of one that threw: a refusal of the server by its code, anything else as what it is, a bug. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const retry = useRetry(reset)
  // It could not be loaded while the server was gone or did not know this browser.
  useEffect(() => connection.subscribe(() => connection.get() === 'connected' && retry()), [retry])
  if (error instanceof ApiRequestError) {
    if (error.code === 'ambiguous') return <AmbiguousPage sessionKeys={error.keys} />
    if (error.code === 'not-found') return <NotFoundPage what={error.message} />
    if (error.code === 'forbidden') return <ForbiddenPage />
  }
  return <BrokenPage error={error instanceof Error ? error : new Error(String(error))} onRetry={retry} />
}

/** Failed questions are asked again, and failed parts loaded again. */
function useRetry(reset: () => void): () => void {
  const router = useRouter()
  const questions = useQueryErrorResetBoundary()
  return () => {
    questions.reset()
    reset()
    void router.invalidate()
  }
}
