import './marked-messages.css'
import type { MessageMark } from '@gemini-dash/api'
import { toolLabel } from '@gemini-dash/api/tool-label'
import { useQueries } from '@tanstack/react-query'
import type { Message } from 'gemini-sessions'
import { Star, StickyNote } from 'lucide-react'
import { markedMessageQuery } from '../../api/marks.ts'
import { ApiRequestError } from '../../api/request/api-request-error.ts'
import { Icon } from '../../ui/signs/icon.tsx'

interface Props {
  sessionRef: string
  marks: Record<string, MessageMark>
  onJump: (messageKey: string, offset: number) => void
}

const MOST_LETTERS = 160

/** The messages of a session that the reader marked, in reading order, with what they noted. */
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
              <span className="marked-voice">
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

/** A server that is gone knows nothing of what is in the session. */
function unknownText(error: Error | null): string {
  if (error === null) return 'Message'
  const isGone = !(error instanceof ApiRequestError) || error.code === 'not-found'
  return isGone ? 'Not in the session any more' : `Message. It could not be read: ${error.message}`
}

function voiceOf({ type, origin }: Message): string {
  if (type === 'gemini') return 'Gemini'
  return type === 'user' && origin === 'human' ? 'You' : 'Notice'
}

/** What it says; of one without words, what it thought or called. */
function firstWords({ content, thoughts, toolCalls }: Message): string {
  const said = content.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join(' ')
  const words =
    said.trim() ||
    thoughts.map(({ subject }) => subject).join(', ') ||
    toolCalls.map(({ name }) => toolLabel(name)).join(', ')
  return words.replace(/\s+/g, ' ').trim().slice(0, MOST_LETTERS) || 'No text'
}
