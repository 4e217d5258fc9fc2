import { formatPlural } from '@gemini-dash/api/figures'
import { DATE_WORDS, readDate } from '@gemini-dash/api/read-date'
import { toolLabel } from '@gemini-dash/api/tool-label'
import { QUERY_OPERATORS } from '@gemini-dash/session-index'
import type { SessionSummary } from 'gemini-sessions'
import { localDay } from '../times/time-zone.ts'
import type { SearchScope } from './search-scope.ts'

/** A value that a filter could take, and what a person should know of it. */
export interface KnownValue {
  value: string
  hint: string
}

interface Context {
  scope: SearchScope
  zone: string
  nowMs: number
}

/** Values that there are for a filter, the most common or newest first. */
export function knownValues(field: string, context: Context): KnownValue[] {
  const { scope } = context
  switch (field) {
    case 'project':
      return scope.projects.map(({ name, path }) => ({ value: name, hint: path ?? '' }))
    case 'model':
      return counted(scope, ({ summary }) => summary.models?.map(({ name }) => [name, 1]) ?? [], 'session')
    case 'tool':
      return counted(scope, ({ record }) => record.tools.map(({ name, calls }) => [name, calls]), 'call').map(
        ({ value, hint }) => ({
          value,
          hint: [toolLabel(value), hint].filter((text) => text !== value).join(', '),
        }),
      )
    case 'tag':
      return counted(scope, ({ summary }) => summary.mark?.tags.map((tag) => [tag, 1]) ?? [], 'session')
    case 'session':
      return sessions(scope)
    case 'after':
    case 'before':
      return dates(context)
    case 'tokens':
      return ['>10k', '>50k', '>200k', '>1m'].map((value) => ({ value, hint: '' }))
    case 'cost':
      return ['>0.01', '>0.10', '>1'].map((value) => ({ value, hint: 'US dollars' }))
    default: {
      const name = field === 'type' ? 'in' : field
      const values = QUERY_OPERATORS.find((operator) => operator.name === name)?.values ?? []
      return values.map((value) => ({ value, hint: '' }))
    }
  }
}

function counted(
  { sessions: all }: SearchScope,
  valuesOf: (session: NonNullable<ReturnType<SearchScope['sessions']['get']>>) => [string, number][],
  noun: string,
): KnownValue[] {
  const counts = new Map<string, number>()
  for (const session of all.values()) {
    for (const [value, count] of valuesOf(session)) counts.set(value, (counts.get(value) ?? 0) + count)
  }
  return [...counts]
    .sort(([a, most], [b, other]) => other - most || (a < b ? -1 : 1))
    .map(([value, count]) => ({
      value,
      hint: formatPlural(count, noun),
    }))
}

/** Enough of an id to tell it from all others. */
const SHORT_ID = 8

function sessions({ sessions: all, resolve }: SearchScope): KnownValue[] {
  const newest = [...all.values()]
    .map(({ summary }) => summary)
    .sort((a, b) => (lastTime(a) < lastTime(b) ? 1 : -1))
  return newest.map(({ sessionId, title }) => {
    const short = sessionId.slice(0, SHORT_ID)
    return { value: resolve(short).kind === 'one' ? short : sessionId, hint: title }
  })
}

function lastTime({ endTime, startTime }: SessionSummary): string {
  return endTime ?? startTime ?? ''
}

function dates({ zone, nowMs }: Context): KnownValue[] {
  return DATE_WORDS.map((value) => {
    const timeMs = readDate(value, { zone, nowMs })
    return { value, hint: timeMs === null ? '' : localDay(new Date(timeMs).toISOString(), zone) }
  })
}
