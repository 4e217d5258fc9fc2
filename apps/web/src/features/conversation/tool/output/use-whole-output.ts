import { useQuery } from '@tanstack/react-query'
import type { ToolOutput } from 'gemini-sessions'
import { wholeOutputQuery } from '../../../../api/session/whole.ts'

/** Of the whole: not asked for or here, on its way, or the way to ask for it once more. */
export type WholeState = 'idle' | 'loading' | { retry: () => void }

/** The output as the page carries it, or the whole of it once it was asked for. */
export function useWholeOutput<T extends ToolOutput>(
  output: T,
  isWanted: boolean,
): { output: T; state: WholeState } {
  const href = 'cut' in output ? output.cut?.href : undefined
  const query = useQuery({ ...wholeOutputQuery(href ?? ''), enabled: isWanted && href !== undefined })
  if (href === undefined || !isWanted) return { output, state: 'idle' }
  if (query.data?.kind === output.kind) return { output: query.data as T, state: 'idle' }
  return { output, state: query.isError ? { retry: () => void query.refetch() } : 'loading' }
}
