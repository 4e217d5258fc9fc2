import type { SearchHit, SuggestionList, View } from '@gemini-dash/api'
import { nearRanges, nearWords } from '@gemini-dash/api/near-text'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import type { Project, SessionSummary } from 'gemini-sessions'
import type { LucideIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { OWN_VIEWS, viewsQuery } from '../../api/marks.ts'
import { isUnanswered } from '../../api/request.ts'
import { quickQuery, type Suggestions, suggestQuery } from '../../api/search.ts'
import { sessionCountQuery, titledSessionsQuery } from '../../api/sessions.ts'
import { projectsQuery } from '../../api/usage.ts'
import { plainSnippet, voiceOf } from '../../content/hits.ts'
import { type Action, type ActionName, actions } from '../../lib/action-table.ts'
import { formatDate } from '../../lib/dates.ts'
import { formatPlural } from '../../lib/figures.ts'
import { SEARCH_MODE_LABELS } from '../../lib/page-searches.ts'
import { plainSearchCodec } from '../../lib/search-params.ts'
import { sessionSearch } from '../../lib/session-search.ts'
import { boundActions } from '../../lib/use-actions.ts'

/** No requests are sent while keystrokes follow within this time. */
const SETTLE_MS = 120
const MOST_SESSIONS = 5
/** A filter name, with an optional partial value, right before the cursor. */
const FILTER = /(?:^|[\s(])-?[a-z]+:\S*$/i

interface Box {
  text: string
  caret: number
  isOpen: boolean
  /** Whether the input contains the query of the search page. */
  isQuery: boolean
}

const KNOWN = { isLooking: false, isFirstSure: true, isNone: false }

interface BoxAnswer {
  groups: BoxGroup[]
  isLooking: boolean
  /** No pending result would come before the first item. */
  isFirstSure: boolean
  /** Nothing matches, by name or by content. */
  isNone: boolean
}

/** Suggestions: local ones at once, the server's once typing pauses. Earlier ones stay as long as they match. */
export function useBoxGroups({ text, caret, isOpen, isQuery }: Box): BoxAnswer {
  const typed = text.trim()
  const settled = useSettled(typed)
  const { pathname, search } = useLocation()
  const bound = boundActions().filter((name) => !isOf(name, 'isStep'))
  const projects = useQuery(projectsQuery()).data?.projects ?? []
  const views = [...OWN_VIEWS, ...(useQuery(viewsQuery()).data?.views ?? [])]
  const asked = isOpen && settled !== '?' ? settled : null
  const titled = useSessions(isQuery && typed !== '' ? null : asked)
  const quick = useQuery(quickQuery(isQuery ? '' : (asked ?? '')))
  const found = isUnanswered(quick) ? undefined : quick.data
  const filters = useFilters({ text, caret, isOpen, isQuery })
  const here = useListHere(pathname, search, asked ?? '')

  if (typed === '') return { groups: startGroups({ bound, sessions: titled.sessions }), ...KNOWN }
  if (typed === '?') return { groups: [filterHelp()], ...KNOWN }
  const goTo = goToItems({ text: typed, bound, projects, views })
  const isFirst = isMeant(goTo, typed)
  const isAnswer = titled.isFound && settled === typed
  const near = titled.sessions.filter((session) => isAnswer || isNearSession(session, typed))
  const isLooking = settled !== typed || titled.isLooking || quick.isFetching
  const isOfThis = found?.q === typed
  const isNone = !isLooking && !isQuery && near.length === 0 && (found?.total ?? 0) === 0 && goTo.length === 0
  const isInSession = pathname.startsWith('/s/')
  const isFirstSure = !isLooking || isFirst || filters.items.length > 0 || isInSession
  const goToGroup = (items: BoxItem[]): BoxGroup => ({ title: 'Go to', items })
  const groups = filled([
    goToGroup(isFirst ? goTo : []),
    filters,
    { title: 'This session', items: isInSession ? [findItem(pathname, typed)] : [] },
    sessionGroup(isQuery ? [] : near, typed),
    messageGroup(isQuery ? [] : (found?.places ?? []), found?.titles ?? {}, (hit) => {
      const asText = plainSearchCodec.stringifySearch(sessionSearch({ q: found?.q }, hit))
      const anchor = hit.messageKey === null ? '' : `#m-${encodeURIComponent(hit.messageKey)}`
      return `/s/${encodeURIComponent(hit.sessionKey)}${asText}${anchor}`
    }),
    { title: 'Not found', items: titled.error === null ? [] : [retryItem(titled)] },
    goToGroup(isFirst ? [] : goTo),
    { title: 'This list', items: here },
    {
      title: 'All results',
      items: [
        ...(isOfThis && found?.didYouMean
          ? [searchItem(found.didYouMean, `Did you mean “${found.didYouMean}”?`)]
          : []),
        searchItem(typed, allText(typed, isOfThis && !isQuery ? found?.total : undefined)),
        ...ofProject(pathname, projects, typed),
      ],
    },
  ])
  return { groups, isLooking, isFirstSure, isNone }
}

function allText(typed: string, total: number | undefined): string {
  if (total === undefined) return `See all results for “${typed}”`
  return total === 0 ? `No results for “${typed}” in messages` : `See all ${formatPlural(total, 'result')}`
}

function findItem(pathname: string, text: string): BoxItem {
  const href = `${pathname}?q=${encodeURIComponent(text)}`
  return { id: 'find', icon: 'find', label: `Find “${text}” in this session`, ranges: [], keys: 'f', href }
}

/** The same search within the listed project. */
function ofProject(
  pathname: string,
  projects: readonly { key: string; name: string }[],
  text: string,
): BoxItem[] {
  const ref = pathname.startsWith('/p/') ? decodeURIComponent(pathname.slice('/p/'.length)) : null
  const project = projects.find(({ key, name }) => key === ref || name === ref)
  if (project === undefined) return []
  return [searchItem(text, `See results in ${project.name}`, project.key)]
}

/** On a session list: the same filters plus a title filter with this text. */
function useListHere(pathname: string, search: object, asked: string): BoxItem[] {
  const isList = pathname === '/' || pathname.startsWith('/p/')
  const project = pathname.startsWith('/p/') ? decodeURIComponent(pathname.slice('/p/'.length)) : undefined
  const { data } = useQuery({
    ...sessionCountQuery({ title: asked, project, empty: 'exclude' }),
    enabled: isList && asked !== '',
  })
  if (!isList || asked === '') return []
  return [
    {
      id: 'titles',
      icon: 'titles',
      label: `Filter titles in this list by “${asked}”`,
      ranges: [],
      hint: data === undefined ? undefined : formatPlural(data, 'session'),
      href: `${pathname}${plainSearchCodec.stringifySearch({ ...search, q: asked })}`,
    },
  ]
}

/** Completions for a filter that is being typed. */
function useFilters({ text, caret, isOpen, isQuery }: Box): BoxGroup {
  const isWanted = isOpen && text.trim() !== '' && (isQuery || FILTER.test(text.slice(0, caret)))
  const { data } = useQuery(suggestQuery(text, caret, isWanted))
  if (!isWanted || data === undefined) return { title: 'Filters', items: [] }
  return filterGroup(data, (index) => complete(data, text, index))
}

/** Suggestions may be outdated: only what was typed within the same word since then is replaced. */
function complete({ q, start, end, items }: Suggestions, draft: string, index: number): string | null {
  const item = items[index]
  const before = q.slice(0, start)
  const after = q.slice(end)
  if (item === undefined || !draft.startsWith(before) || !draft.slice(start).endsWith(after)) return null
  const isOneWord = q === draft || !/\s/.test(draft.slice(start, draft.length - after.length))
  return isOneWord ? `${before}${item.text}${after}` : null
}

/** Sessions whose title contains the text; if there are few, also similar ones. null: no request. */
function useSessions(asked: string | null) {
  const exact = useQuery({
    ...titledSessionsQuery(asked ?? '', 'part', MOST_SESSIONS),
    placeholderData: (before) => before,
    enabled: asked !== null,
  })
  const areFew =
    asked !== null &&
    asked !== '' &&
    !exact.isPlaceholderData &&
    (exact.data?.length ?? MOST_SESSIONS) < MOST_SESSIONS
  const near = useQuery({ ...titledSessionsQuery(asked ?? '', 'near', MOST_SESSIONS), enabled: areFew })
  const more = areFew
    ? (near.data ?? []).filter(({ key }) => exact.data?.every((one) => one.key !== key))
    : []
  return {
    sessions: asked === null ? [] : [...(exact.data ?? []), ...more].slice(0, MOST_SESSIONS),
    /** False while they are the results for earlier text. */
    isFound: !exact.isPlaceholderData,
    isLooking: exact.isFetching || near.isFetching,
    error: exact.error ?? near.error,
    retry: () => void (exact.error === null ? near : exact).refetch(),
  }
}

function retryItem({ error, retry }: ReturnType<typeof useSessions>): BoxItem {
  return {
    id: 'retry',
    icon: 'retry',
    label: 'Sessions could not be asked for. Try again',
    ranges: [],
    hint: error?.message,
    run: retry,
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

export type BoxIcon =
  | ActionName
  | 'session'
  | 'project'
  | 'view'
  | 'search'
  | 'find'
  | 'titles'
  | 'filter'
  | 'retry'

export interface BoxItem {
  id: string
  icon: BoxIcon | LucideIcon
  label: string
  /** Matches in the label: start and exclusive end. */
  ranges: [number, number][]
  /** Secondary text. */
  hint?: string | undefined
  /** Date at the end of the line. */
  date?: string | undefined
  keys?: string | undefined
  /** Link target. */
  href?: string | undefined
  /** Replaces the text of the input. */
  text?: string
  /** Action, for items that neither link nor replace text. */
  run?: () => void
}

export interface BoxGroup {
  title: string
  items: BoxItem[]
}

const MOST_PROJECTS = 5
const MOST_ACTIONS = 20

interface Known {
  text: string
  /** Actions available now. */
  bound: readonly ActionName[]
  sessions: readonly SessionSummary[]
  projects: readonly Project[]
  views: readonly View[]
}

/** Before typing: actions of this page, newest sessions, pages. */
function startGroups({ bound, sessions }: Pick<Known, 'bound' | 'sessions'>): BoxGroup[] {
  const pages = bound
    .filter((name) => !isOf(name, 'isPart'))
    .map(actionItem)
    .filter(({ href }) => href !== undefined)
  return filled([
    {
      title: bound.includes('shareSession') ? 'This session' : 'This page',
      items: bound.filter((name) => isOf(name, 'isFirst')).map(actionItem),
    },
    { title: 'Newest sessions', items: sessions.map(sessionItem) },
    { title: 'Go to', items: pages },
  ])
}

/** Sessions whose title resembles the text. */
function sessionGroup(sessions: readonly SessionSummary[], text: string): BoxGroup {
  const words = nearWords(text)
  return { title: 'Sessions', items: sessions.map((session) => nearOr(sessionItem(session), words)) }
}

/** Pages, settings, projects, views and actions whose name resembles the text. */
function goToItems({ text, bound, projects, views }: Omit<Known, 'sessions'>): BoxItem[] {
  const words = nearWords(text)
  const named = (items: readonly BoxItem[]) => items.flatMap((item) => near(item, words))
  const places = named([
    ...projects.toSorted((a, b) => b.sessions - a.sessions).map(projectItem),
    ...views.map(viewItem),
  ])
  const acts = named(bound.map(actionItem)).toSorted(byBeginning)
  return [...acts.slice(0, MOST_ACTIONS), ...places.slice(0, MOST_PROJECTS)]
}

/**
 * Whether the first item is clearly meant: a page or action whose name starts with the text, or a project or view with exactly this name.
 */
function isMeant([first]: readonly BoxItem[], text: string): boolean {
  if (first === undefined) return false
  return first.id.startsWith('action')
    ? first.ranges[0]?.[0] === 0
    : first.label.toLowerCase() === text.toLowerCase()
}

/** Matches inside sessions. `titles`: titles of the sessions. */
function messageGroup(
  places: readonly SearchHit[],
  titles: Record<string, { title: string; startTime: string | null } | undefined>,
  hrefOf: (hit: SearchHit) => string,
): BoxGroup {
  return {
    title: 'In messages',
    items: places.map((hit) => {
      const { snippet, ranges } = oneLine(hit)
      const time = hit.timestamp ?? titles[hit.sessionKey]?.startTime ?? null
      return {
        id: `place ${hit.sessionKey} ${hit.messageKey} ${hit.field}`,
        icon: voiceOf(hit).icon,
        label: snippet,
        ranges,
        hint: titles[hit.sessionKey]?.title,
        date: time === null ? undefined : formatDate(time),
        href: hrefOf(hit),
      }
    }),
  }
}

/** Completions of the query: filter names and values. */
function filterGroup({ items }: SuggestionList, toText: (index: number) => string | null): BoxGroup {
  return {
    title: 'Filters',
    items: items.flatMap(({ label, hint }, index) => {
      const text = toText(index)
      return text === null
        ? []
        : [{ id: `filter ${label}`, icon: 'filter' as const, label, ranges: [], hint, text }]
    }),
  }
}

/** Whether a session still matches, while the server's answer is pending. */
function isNearSession({ title, firstPrompt }: SessionSummary, text: string): boolean {
  return nearRanges(`${title}\n${firstPrompt ?? ''}`, nearWords(text)) !== null
}

function isOf(name: ActionName, trait: 'isFirst' | 'isStep' | 'isPart'): boolean {
  const action: Action = actions[name]
  return action[trait] === true
}

/** Link to the full search, in one project or all. */
export function searchItem(text: string, label: string, project?: string): BoxItem {
  const scope = project === undefined ? '' : `&project=${encodeURIComponent(project)}`
  const href = `/search?q=${encodeURIComponent(text)}${scope}`
  return {
    id: `search ${scope} ${text}`,
    icon: 'search',
    label,
    ranges: [],
    keys: project === undefined ? 'Shift+Enter' : undefined,
    href,
  }
}

function filled(groups: readonly BoxGroup[]): BoxGroup[] {
  return groups.filter(({ items }) => items.length > 0)
}

function actionItem(name: ActionName): BoxItem {
  const { words, keys, href }: Action = actions[name]
  return { id: `action ${name}`, icon: name, label: words, ranges: [], keys: keys[0], href }
}

function sessionItem({
  key,
  title,
  firstPrompt,
  project,
  endTime,
  startTime,
  mark,
}: SessionSummary): BoxItem {
  const time = endTime ?? startTime
  return {
    id: `session ${key}`,
    icon: 'session',
    label: title || firstPrompt || 'Session without a name',
    ranges: [],
    hint: mark?.note ? `note: ${mark.note}` : project.name,
    date: time === null ? undefined : formatDate(time),
    href: `/s/${encodeURIComponent(key)}`,
  }
}

function projectItem({ key, name, sessions }: Project): BoxItem {
  return {
    id: `project ${key}`,
    icon: 'project',
    label: name,
    ranges: [],
    hint: `Project, ${formatPlural(sessions, 'session')}`,
    href: `/p/${encodeURIComponent(key)}`,
  }
}

function viewItem({ name, href }: View): BoxItem {
  // an address may have several names
  return { id: `view ${name} ${href}`, icon: 'view', label: name, ranges: [], hint: 'View', href }
}

function near(item: BoxItem, words: readonly string[]): BoxItem[] {
  const ranges = nearRanges(item.label, words)
  return ranges === null ? [] : [{ ...item, ranges }]
}

/** Sessions found by their first prompt, which is not shown, have no highlight. */
function nearOr(item: BoxItem, words: readonly string[]): BoxItem {
  return near(item, words)[0] ?? item
}

/** Items that start with the text come first. */
function byBeginning(a: BoxItem, b: BoxItem): number {
  return (a.ranges[0]?.[0] ?? 0) - (b.ranges[0]?.[0] ?? 0)
}

const MOST_BEFORE = 24

/** The match as plain text, starting at a word shortly before it. */
function oneLine(hit: SearchHit): { snippet: string; ranges: [number, number][] } {
  const { snippet, ranges } = plainSnippet(hit.snippet, hit.ranges)
  const start = ranges[0]?.[0] ?? 0
  const cut = start <= MOST_BEFORE ? 0 : snippet.indexOf(' ', start - MOST_BEFORE) + 1
  const from = Math.min(cut, start)
  const ellipsis = from > 0 ? '… ' : ''
  const shift = ellipsis.length - from
  return {
    snippet: ellipsis + snippet.slice(from),
    ranges: ranges.map(([first, last]): [number, number] => [first + shift, last + shift]),
  }
}

/** Query examples and what they find. */
const EXAMPLES: [typed: string, finds: string][] = [
  ['price rounding', 'both words, in any order'],
  ['"price rounding"', 'the phrase'],
  ['rounding -lockfile', 'exclude a word'],
  ['voucher OR coupon', 'either word; use parentheses'],
  ['round*', 'words starting with it'],
  ['project:webshop model:*flash*', 'in sessions of a project, with a model'],
  ['tool:run_shell_command is:error', 'messages whose shell command failed'],
  ['in:prompt,answer', 'by you or the model; also thought, tool-args, tool-output'],
  ['file:src/*.ts has:diff', 'edits of these files: the history of a file'],
  ['is:superseded', 'rewound or compressed messages; also live, subagent'],
  ['tokens:>50k cost:>0.10', 'large and expensive requests'],
  ['after:-7d before:yesterday', 'when; also 2026-01-31 or monday'],
  ['session:477739d0', 'in one session'],
  ['is:starred tag:later note:proxy', 'your stars, tags and notes'],
]

/** Filter help as items: selecting one inserts it. */
function filterHelp(): BoxGroup {
  return {
    title: 'Filters you can type',
    items: [
      ...EXAMPLES.map(([typed, finds]) => ({
        id: `help ${typed}`,
        icon: 'filter' as const,
        label: typed,
        ranges: [],
        hint: finds,
        text: typed,
      })),
      ...(['substring', 'regex'] as const).map((mode) => ({
        id: `help ${mode}`,
        icon: 'search' as const,
        label: SEARCH_MODE_LABELS[mode],
        ranges: [],
        hint: 'another way to search',
        href: `/search?mode=${mode}`,
      })),
    ],
  }
}
