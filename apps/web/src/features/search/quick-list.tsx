import type { SearchHit } from '@gemini-dash/api'
import { Link } from '@tanstack/react-router'
import { List, type LucideIcon, MessageSquareText } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import type { quickQuery } from '../../api/search.ts'
import { sessionSearch } from '../../lib/address/session-search.ts'
import { classNames } from '../../lib/browser/class-names.ts'
import { formatPlural } from '../../lib/figures/format.ts'
import { Icon } from '../../ui/signs/icon.tsx'
import { plainSnippet } from './result/plain-snippet.ts'
import { voiceOf } from './result/search-voices.ts'

type Found = NonNullable<Awaited<ReturnType<NonNullable<ReturnType<typeof quickQuery>['queryFn']>>>>

interface QuickItem {
  key: string
  group: 'Sessions' | 'Places' | 'All'
  icon: LucideIcon
  text: string
  /** Where it is, or whose. */
  beside: string
  link:
    | { to: '/search'; search: { q: string } }
    | {
        to: '/s/$key'
        params: { key: string }
        search: ReturnType<typeof sessionSearch>
        hash: string | undefined
      }
}

/** Sessions by their titles, places inside sessions, and the way to all of it. */
export function quickItems({ q, sessions, places, titles, total }: Found, typed: string): QuickItem[] {
  return [
    ...sessions.map(
      ({ key, title, firstPrompt, project }): QuickItem => ({
        key: `session ${key}`,
        group: 'Sessions',
        icon: MessageSquareText,
        text: title || firstPrompt || key,
        beside: project.name,
        link: { to: '/s/$key', params: { key }, search: {}, hash: undefined },
      }),
    ),
    ...places.map(
      (hit): QuickItem => ({
        key: `place ${hit.sessionKey} ${hit.messageKey} ${hit.field}`,
        group: 'Places',
        icon: voiceOf(hit).icon,
        text: oneLine(hit),
        beside: titles[hit.sessionKey]?.title ?? '',
        link: {
          to: '/s/$key',
          params: { key: hit.sessionKey },
          search: sessionSearch({ q }, hit),
          hash: hit.messageKey === null ? undefined : `m-${hit.messageKey}`,
        },
      }),
    ),
    {
      key: 'all',
      group: 'All',
      icon: List,
      text: allText(total, q === typed ? typed : null),
      beside: '',
      link: { to: '/search', search: { q: typed } },
    },
  ]
}

/** `typed`: what was asked for; null while the answer is that of what stood there before. */
function allText(total: number, typed: string | null): string {
  if (total > 0) return `All results: ${formatPlural(total, 'hit')}`
  return typed === null ? 'Search for what you typed' : `No hits for “${typed}”. Open the search`
}

const MOST_BEFORE = 24

/** The hit as plain text, begun at a word near it. */
function oneLine(hit: SearchHit): string {
  const { snippet, ranges } = plainSnippet(hit.snippet, hit.ranges)
  const start = ranges[0]?.[0] ?? 0
  if (start <= MOST_BEFORE) return snippet.trim()
  const cut = snippet.indexOf(' ', start - MOST_BEFORE)
  const from = cut === -1 || cut > start ? start : cut + 1
  return `… ${snippet.slice(from).trim()}`
}

interface Props {
  id: string
  items: QuickItem[]
  active: number
  /** They are of what was typed a moment ago. */
  isStale: boolean
  /** Above them. */
  children: ReactNode
}

/** What is found while one types. The box keeps the focus; the options are named to it by their ids. */
export function QuickList({ id, items, active, isStale, children }: Props) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  })
  const groups = [...new Set(items.map(({ group }) => group))]
  return (
    <div className={classNames('quick-list', isStale && 'stale')}>
      {children}
      <div id={id} role="listbox" aria-label="Found" ref={list}>
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: options of a listbox are grouped by this role
          <div key={group} role="group" aria-label={group}>
            {group !== 'All' && (
              <p className="quick-heading" aria-hidden="true">
                {group}
              </p>
            )}
            {items.map(
              (item, index) =>
                item.group === group && (
                  <Link
                    key={item.key}
                    {...item.link}
                    id={`${id}-${index}`}
                    role="option"
                    tabIndex={-1}
                    aria-selected={index === active}
                    preload={false}
                    className={classNames('quick-item', index === active && 'active')}
                    // the focus must not leave the box before the click is done
                    onPointerDown={(event) => event.preventDefault()}
                  >
                    <Icon of={item.icon} small />
                    <span className="quick-text" dir="auto">
                      {item.text}
                    </span>
                    {item.beside !== '' && (
                      <span className="quick-beside" dir="auto">
                        {item.beside}
                      </span>
                    )}
                  </Link>
                ),
            )}
          </div>
        ))}
      </div>
      <p role="status" className="visually-hidden">
        {describe(items)}
      </p>
    </div>
  )
}

function describe(items: QuickItem[]): string {
  const count = (wanted: QuickItem['group']) => items.filter(({ group }) => group === wanted).length
  return `${formatPlural(count('Sessions'), 'session')}, ${formatPlural(count('Places'), 'place')}`
}
