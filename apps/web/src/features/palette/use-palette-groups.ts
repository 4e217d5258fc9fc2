import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { OWN_VIEWS, viewsQuery } from '../../api/marks.ts'
import { projectsQuery } from '../../api/projects.ts'
import { countedSearchQuery } from '../../api/search.ts'
import { titledSessionsQuery } from '../../api/sessions.ts'
import { boundActions } from '../../lib/actions/use-actions.ts'
import { formatPlural } from '../../lib/figures/format.ts'
import { isNearSession, isOf, type PaletteGroup, type PaletteItem, paletteGroups } from './palette-items.ts'

/** Typing goes on while less than this passes between two letters: nothing is asked then. */
const SETTLE_MS = 120
const MOST_SESSIONS = 8
const NEWEST_SESSIONS = 5

type State = 'looking' | 'found' | 'none'

/** What is known at once, and the sessions once typing pauses: those before them stay as long as they fit. */
export function usePaletteGroups(text: string): { groups: PaletteGroup[]; state: State } {
  const typed = text.trim()
  const settled = useSettled(typed)
  const [bound] = useState(() => boundActions().filter((name) => !isOf(name, 'isStep')))
  const projects = useQuery(projectsQuery()).data?.projects ?? []
  const views = [...OWN_VIEWS, ...(useQuery(viewsQuery()).data?.views ?? [])]
  const { sessions, isFound, isLooking, error, retry } = useSessions(settled)
  const isAnswer = isFound && settled === typed
  const shown = sessions.filter((session) => isAnswer || isNearSession(session, typed))
  const groups = paletteGroups({ text: typed, bound, sessions: shown, projects, views })
  const isSettled = settled === typed && !isLooking
  const isNone = typed !== '' && isSettled && error === null && groups.length === 0
  const { data: counted } = useQuery({ ...countedSearchQuery(typed), enabled: isNone })
  if (error !== null) groups.push({ title: 'Sessions', items: [retryItem(error, retry)] })
  if (typed !== '') {
    const { didYouMean = null, total, sessionTotal } = counted ?? {}
    const hint =
      total === undefined
        ? undefined
        : `${formatPlural(total, 'hit')} in ${formatPlural(sessionTotal ?? 0, 'session')}`
    const meant = didYouMean === null ? [] : [insideItem(didYouMean, `Did you mean “${didYouMean}”?`)]
    groups.push({
      title: isNone ? 'Instead' : 'Inside sessions',
      items: [...meant, { ...insideItem(typed), hint }],
    })
  }
  return { groups, state: isNone ? 'none' : isSettled ? 'found' : 'looking' }
}

/** Those whose title holds the text; where these are few, those that are near it as well. */
function useSessions(settled: string) {
  const limit = settled === '' ? NEWEST_SESSIONS : MOST_SESSIONS
  const exact = useQuery({
    ...titledSessionsQuery(settled, 'part', limit),
    placeholderData: (before) => before,
  })
  const areFew = settled !== '' && !exact.isPlaceholderData && (exact.data?.length ?? limit) < limit
  const near = useQuery({ ...titledSessionsQuery(settled, 'near', limit), enabled: areFew })
  const more = areFew
    ? (near.data ?? []).filter(({ key }) => exact.data?.every((one) => one.key !== key))
    : []
  return {
    sessions: [...(exact.data ?? []), ...more].slice(0, limit),
    /** Else they are those of what was typed before. */
    isFound: !exact.isPlaceholderData,
    isLooking: exact.isFetching || near.isFetching,
    error: exact.error ?? near.error,
    retry: () => void (exact.error === null ? near : exact).refetch(),
  }
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(text), SETTLE_MS)
    return () => window.clearTimeout(timer)
  }, [text])
  return text === '' ? text : settled
}

export function insideItem(text: string, label = `Search inside sessions for “${text.trim()}”`): PaletteItem {
  const href = `/search?q=${encodeURIComponent(text.trim())}`
  return { id: `inside ${text}`, icon: 'inside', label, ranges: [], keys: 'Shift+Enter', href }
}

function retryItem(error: Error, retry: () => void): PaletteItem {
  return {
    id: 'retry',
    icon: 'retry',
    label: 'Sessions could not be asked for. Try again',
    ranges: [],
    hint: error.message,
    retry,
  }
}
