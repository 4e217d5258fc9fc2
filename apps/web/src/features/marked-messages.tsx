import { modelVoice } from '@gemini-dash/api/source-names'
import './marked-messages.css'
import '../ui/rail.css'
import type { MessageMark, View, ViewList } from '@gemini-dash/api'
import { toolLabel } from '@gemini-dash/api/tool-label'
import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import type { Message } from 'gemini-sessions'
import { Star, StickyNote, X } from 'lucide-react'
import { markedMessageQuery, OWN_VIEWS, type OwnView, useViewsChange } from '../api/marks.ts'
import { ApiRequestError } from '../api/request.ts'
import { sessionCountQuery } from '../api/sessions.ts'
import { formatCount } from '../lib/figures.ts'
import { useHeldFocus } from '../lib/list-hooks.ts'
import { IconButton } from '../ui/buttons/icon-button.tsx'
import { Icon } from '../ui/icons.tsx'
import { FailedLine } from '../ui/states.tsx'

interface Props {
  sessionRef: string
  marks: Record<string, MessageMark>
  onJump: (messageKey: string, offset: number) => void
}

const MOST_LETTERS = 160

/** The starred or annotated messages of a session, in reading order, with their notes. */
export function MarkedMessages({ sessionRef, marks, onJump }: Props) {
  const keys = Object.keys(marks)
  const answers = useQueries({ queries: keys.map((key) => markedMessageQuery(sessionRef, key)) })
  const marked = keys
    .map((key, index) => ({
      key,
      mark: marks[key],
      place: answers[index]?.data,
      error: answers[index]?.error ?? null,
    }))
    .sort((a, b) => (a.place?.offset ?? Number.MAX_VALUE) - (b.place?.offset ?? Number.MAX_VALUE))
  return (
    <nav aria-label="Marked messages" className="marked-messages">
      <ol>
        {marked.map(({ key, mark, place, error }) => (
          <li key={key}>
            <a
              href={`#m-${key}`}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey || place === undefined) return
                event.preventDefault()
                onJump(key, place.offset)
              }}
            >
              <span className="marked-voice meta">
                {mark?.star && <Icon of={Star} small />}
                {mark?.note !== '' && <Icon of={StickyNote} small />}
                {place === undefined ? unknownText(error) : voiceOf(place.message)}
              </span>
              {place !== undefined && (
                <span className="marked-text" dir="auto">
                  {firstWords(place.message)}
                </span>
              )}
              {mark?.note !== '' && (
                <span className="marked-note" dir="auto">
                  {mark?.note}
                </span>
              )}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  )
}

/** An unreachable server says nothing about the session's content. */
function unknownText(error: Error | null): string {
  if (error === null) return 'Message'
  const isGone = !(error instanceof ApiRequestError) || error.code === 'not-found'
  return isGone ? 'Not in the session any more' : `Message. It could not be read: ${error.message}`
}

function voiceOf(message: Message): string {
  const { type, origin } = message
  if (type === 'gemini') return modelVoice(message)
  return type === 'user' && origin === 'human' ? 'You' : 'Notice'
}

/** Its text; without any, its thoughts or tool calls. */
function firstWords({ content, thoughts, toolCalls }: Message): string {
  const said = content.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join(' ')
  const words =
    said.trim() ||
    thoughts.map(({ subject }) => subject).join(', ') ||
    toolCalls.map(({ name }) => toolLabel(name)).join(', ')
  return words.replace(/\s+/g, ' ').trim().slice(0, MOST_LETTERS) || 'No text'
}

/**
 * Named filters of the list: three built-in ones and the saved views. The query is passed in: run here, a failed one would refetch on
 * mount, become pending again, and unmount this component.
 */
export function SavedViews({ asked }: { asked: UseQueryResult<ViewList> }) {
  const views = asked.data?.views ?? []
  const here = useLocation({ select: ({ pathname, searchStr }) => `${pathname}${searchStr}` })
  const change = useViewsChange()
  const nav = useHeldFocus<HTMLElement>()
  return (
    <nav aria-label="Views" ref={nav}>
      <h2 className="rail-heading">Views</h2>
      <ul className="rail-list">
        {OWN_VIEWS.map((view) => (
          <li key={view.href}>
            <OwnViewLink view={view} here={here} />
          </li>
        ))}
        {views.map((view) => (
          <li key={`${view.name} ${view.href}`} className="saved-view">
            <ViewLink view={view} here={here} />
            <IconButton
              icon={X}
              label={`Remove the view ${view.name}`}
              // by content: its index may have changed
              onClick={() =>
                change.mutate((all) =>
                  all.filter(({ name, href }) => name !== view.name || href !== view.href),
                )
              }
            />
          </li>
        ))}
      </ul>
      <FailedLine what="Your own could not be loaded." asked={asked} />
      {change.isError && (
        <p className="saved-views-problem" role="alert">
          {change.error.message}
        </p>
      )}
    </nav>
  )
}

/** A built-in view with its number of sessions. */
function OwnViewLink({ view, here }: { view: OwnView; here: string }) {
  const { data } = useQuery(sessionCountQuery({ ...view.filter, empty: 'exclude' }))
  return <ViewLink view={view} here={here} count={data} />
}

function ViewLink({
  view: { name, href },
  here,
  count,
}: {
  view: View
  here: string
  count?: number | undefined
}) {
  return (
    <Link to={href} aria-current={href === here ? 'page' : undefined} title={name}>
      <span dir="auto">{name}</span>
      {count !== undefined && <span className="count">{formatCount(count)}</span>}
    </Link>
  )
}
