import type { View } from '@gemini-dash/api'
import { nearRanges, nearWords } from '@gemini-dash/api/near-text'
import type { Project, SessionSummary } from 'gemini-sessions'
import type { Action } from '../../lib/actions/action.ts'
import { type ActionName, actions } from '../../lib/actions/action-table.ts'
import { formatCost, formatDateTime, formatPlural } from '../../lib/figures/format.ts'

export type PaletteIcon = ActionName | 'session' | 'project' | 'view' | 'inside' | 'retry'

export interface PaletteItem {
  id: string
  icon: PaletteIcon
  label: string
  /** Where the label holds what was typed: start and exclusive end. */
  ranges: [number, number][]
  /** Beside it, quietly. */
  hint?: string | undefined
  /** At its end: a figure. */
  figure?: string | undefined
  keys?: string | undefined
  /** Where it leads to; else it is an action. */
  href?: string | undefined
  retry?: () => void
}

export interface PaletteGroup {
  title: string
  items: PaletteItem[]
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

/** What the palette offers, in its order. Before anything is typed: what this page can do, the newest sessions, the pages. */
export function paletteGroups({ text, bound, sessions, projects, views }: Known): PaletteGroup[] {
  const words = nearWords(text)
  const done = bound.map(actionItem)
  const first = bound.filter((name) => isOf(name, 'isFirst')).map(actionItem)
  if (words.length === 0) {
    const pages = bound
      .filter((name) => !isOf(name, 'isPart'))
      .map(actionItem)
      .filter(({ href }) => href !== undefined)
    return filled([
      { title: bound.includes('exportSession') ? 'This session' : 'This page', items: first },
      { title: 'Newest sessions', items: sessions.map(sessionItem) },
      { title: 'Pages', items: pages },
    ])
  }
  const named = (items: readonly PaletteItem[]) => items.flatMap((item) => near(item, words))
  const places = named([
    ...projects.toSorted((a, b) => b.sessions - a.sessions).map(projectItem),
    ...views.map(viewItem),
  ])
  const acts = named(done).toSorted(byBeginning)
  const actionGroup = { title: 'Pages and actions', items: acts.slice(0, MOST_ACTIONS) }
  // a page whose name is being typed is what is meant, and must not slip down when sessions come
  const isMeant = acts[0]?.ranges[0]?.[0] === 0
  return filled([
    ...(isMeant ? [actionGroup] : []),
    { title: 'Sessions', items: sessions.map((session) => nearOr(sessionItem(session), words)) },
    { title: 'Projects and views', items: places.slice(0, MOST_PROJECTS) },
    ...(isMeant ? [] : [actionGroup]),
  ])
}

/** The group of the line that is chosen first: what comes late stands below it. */
export function withFirst(groups: readonly PaletteGroup[], id: string | null): PaletteGroup[] {
  const isFirst = ({ items }: PaletteGroup) => items.some((item) => item.id === id)
  return [...groups.filter(isFirst), ...groups.filter((group) => !isFirst(group))]
}

/** Whether a session is still what is looked for, while the server's answer is on its way. */
export function isNearSession({ title, firstPrompt }: SessionSummary, text: string): boolean {
  return nearRanges(`${title}\n${firstPrompt ?? ''}`, nearWords(text)) !== null
}

/** Not a step, and with its program drawn. */
function actionItem(name: ActionName): PaletteItem {
  const { words, keys, href }: Action = actions[name]
  return { id: `action ${name}`, icon: name, label: words, ranges: [], keys: keys[0], href }
}

export function isOf(name: ActionName, trait: 'isFirst' | 'isStep' | 'isPart'): boolean {
  const action: Action = actions[name]
  return action[trait] === true
}

function sessionItem({ key, title, project, endTime, withSubagents, mark }: SessionSummary): PaletteItem {
  const place = [project.name, endTime === null ? '' : formatDateTime(endTime)].filter(Boolean).join(', ')
  return {
    id: `session ${key}`,
    icon: 'session',
    label: title || 'Session without a name',
    ranges: [],
    hint: mark?.note ? `note: ${mark.note}` : place,
    figure: withSubagents.cost?.usd == null ? undefined : formatCost(withSubagents.cost),
    href: `/s/${encodeURIComponent(key)}`,
  }
}

function projectItem({ key, name, sessions }: Project): PaletteItem {
  const href = `/p/${encodeURIComponent(key)}`
  return {
    id: `project ${key}`,
    icon: 'project',
    label: name,
    ranges: [],
    hint: formatPlural(sessions, 'session'),
    href,
  }
}

function viewItem({ name, href }: View): PaletteItem {
  // one address may have several names
  return { id: `view ${name} ${href}`, icon: 'view', label: name, ranges: [], href }
}

function near(item: PaletteItem, words: readonly string[]): PaletteItem[] {
  const ranges = nearRanges(item.label, words)
  return ranges === null ? [] : [{ ...item, ranges }]
}

/** It was found by its first prompt, which is not shown. */
function nearOr(item: PaletteItem, words: readonly string[]): PaletteItem {
  return near(item, words)[0] ?? item
}

/** What begins so comes first. */
function byBeginning(a: PaletteItem, b: PaletteItem): number {
  return (a.ranges[0]?.[0] ?? 0) - (b.ranges[0]?.[0] ?? 0)
}

function filled(groups: PaletteGroup[]): PaletteGroup[] {
  return groups.filter(({ items }) => items.length > 0)
}
