import type { UseQueryResult } from '@tanstack/react-query'

/** What was asked, and a way to ask again. */
export type Asked = Pick<UseQueryResult, 'error' | 'data' | 'refetch'>

/** Whether the answer failed, and none from before stands in its place. */
export function isUnanswered({ error, data }: Pick<Asked, 'error' | 'data'>): boolean {
  return error !== null && data === undefined
}
