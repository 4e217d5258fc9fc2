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
import { formatDate, formatPlural } from '../../lib/figures.ts'
import { SEARCH_MODE_LABELS } from '../../lib/page-searches.ts'
import { plainSearchCodec } from '../../lib/search-params.ts'
import { sessionSearch } from '../../lib/session-search.ts'
import { boundActions } from '../../lib/use-actions.ts'

/** Typing goes on while less than this passes between two letters: nothing is asked then. */
const SETTLE_MS = 120
const MOST_SESSIONS = 5
/** A filter's name, and perhaps a part of its value, at the end of what is before the caret. */
const FILTER = /(?:^|[\s(])-?[a-z]+:\S*$/i

interface Box {
  text: string
  caret: number
  isOpen: boolean
  /** Whether it holds the query of the search page. */
  isQuery: boolean
}

const KNOWN = { isLooking: false, isFirstSure: true, isNone: false }

interface BoxAnswer {
  groups: BoxGroup[]
  isLooking: boolean
  /** Nothing that is still looked for comes before the first line. */
  isFirstSure: boolean
  /** Nothing is called so, and nothing was said so. */
  isNone: boolean
}

/** What the box offers: what is known at once, and the rest once typing pauses. What came before stays as long as it fits. */
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

/** The same search within the project whose sessions are listed. */
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

/** On a list of sessions: the same with the titles alone that hold the text. */
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

/** Names and values of filters, where one is being typed. */
function useFilters({ text, caret, isOpen, isQuery }: Box): BoxGroup {
  const isWanted = isOpen && text.trim() !== '' && (isQuery || FILTER.test(text.slice(0, caret)))
  const { data } = useQuery(suggestQuery(text, caret, isWanted))
  if (!isWanted || data === undefined) return { title: 'Filters', items: [] }
  return filterGroup(data, (index) => complete(data, text, index))
}

/** The list may be of a moment ago: what was typed on since in its word is replaced with that word, and nothing else. */
function complete({ q, start, end, items }: Suggestions, draft: string, index: number): string | null {
  const item = items[index]
  const before = q.slice(0, start)
  const after = q.slice(end)
  if (item === undefined || !draft.startsWith(before) || !draft.slice(start).endsWith(after)) return null
  const isOneWord = q === draft || !/\s/.test(draft.slice(start, draft.length - after.length))
  return isOneWord ? `${before}${item.text}${after}` : null
}

/** Those whose title holds the text; where these are few, those that are near it as well. null: nobody asks. */
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
    /** Else they are those of what was typed before. */
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
  /** Where the label holds what was typed: start and exclusive end. */
  ranges: [number, number][]
  /** Beside it, quietly. */
  hint?: string | undefined
  /** At its end: when it was. */
  date?: string | undefined
  keys?: string | undefined
  /** Where it leads to. */
  href?: string | undefined
  /** What is in the box once it is taken. */
  text?: string
  /** What it does, where it neither leads anywhere nor is written. */
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
  /** Names of what can be done now. */
  bound: readonly ActionName[]
  sessions: readonly SessionSummary[]
  projects: readonly Project[]
  views: readonly View[]
}

/** Before anything is typed: what this page can do, the newest sessions, the pages. */
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

/** The sessions whose titles are near what was typed. */
function sessionGroup(sessions: readonly SessionSummary[], text: string): BoxGroup {
  const words = nearWords(text)
  return { title: 'Sessions', items: sessions.map((session) => nearOr(sessionItem(session), words)) }
}

/** Pages, settings, projects, views and actions whose names are near what was typed. */
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

/** A page or an action whose name is being typed is what is meant, and a project or view whose name was typed. */
function isMeant([first]: readonly BoxItem[], text: string): boolean {
  if (first === undefined) return false
  return first.id.startsWith('action')
    ? first.ranges[0]?.[0] === 0
    : first.label.toLowerCase() === text.toLowerCase()
}

/** Places inside sessions. `titles`: of their sessions. */
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

/** How the query can go on: names of filters, and their values. */
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

/** Whether a session is still what is looked for, while the server's answer is on its way. */
function isNearSession({ title, firstPrompt }: SessionSummary, text: string): boolean {
  return nearRanges(`${title}\n${firstPrompt ?? ''}`, nearWords(text)) !== null
}

function isOf(name: ActionName, trait: 'isFirst' | 'isStep' | 'isPart'): boolean {
  const action: Action = actions[name]
  return action[trait] === true
}

/** The way to the whole search, of one project or of all. */
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
  // one address may have several names
  return { id: `view ${name} ${href}`, icon: 'view', label: name, ranges: [], hint: 'View', href }
}

function near(item: BoxItem, words: readonly string[]): BoxItem[] {
  const ranges = nearRanges(item.label, words)
  return ranges === null ? [] : [{ ...item, ranges }]
}

/** It was found by its first prompt, which is not shown. */
function nearOr(item: BoxItem, words: readonly string[]): BoxItem {
  return near(item, words)[0] ?? item
}

/** What begins so comes first. */
function byBeginning(a: BoxItem, b: BoxItem): number {
  return (a.ranges[0]?.[0] ?? 0) - (b.ranges[0]?.[0] ?? 0)
}

const MOST_BEFORE = 24

/** The hit as plain text, begun at a word near it. */
function oneLine(hit: SearchHit): { snippet: string; ranges: [number, number][] } {
  const { snippet, ranges } = plainSnippet(hit.snippet, hit.ranges)
  const start = ranges[0]?.[0] ?? 0
  const cut = start <= MOST_BEFORE ? 0 : snippet.indexOf(' ', start - MOST_BEFORE) + 1
  const from = Math.min(cut, start)
  const lead = from > 0 ? '… ' : ''
  const shift = lead.length - from
  return {
    snippet: lead + snippet.slice(from),
    ranges: ranges.map(([first, last]): [number, number] => [first + shift, last + shift]),
  }
}

/** What can be typed, and what it finds. */
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

/** The filters as lines of the box: a line that is taken is written into it. */
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
