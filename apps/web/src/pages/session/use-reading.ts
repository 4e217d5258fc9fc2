import type { FindQuery, FindResult, MessageFilter } from '@gemini-dash/api'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useLocation } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { ApiRequestError } from '../../api/request/api-request-error.ts'
import { messagesQuery } from '../../api/session/messages.ts'
import type { HitTerm } from '../../content/text/hit-context.ts'
import { PAGE_SIZE, pageOf } from '../../features/conversation/feed/page-size.ts'
import type { JumpTarget } from '../../features/conversation/jump/jump-target.ts'
import { messageAnchor, messageKeyOf, messagePartOf } from '../../features/conversation/part/message-link.ts'
import type { SessionSearch } from '../../lib/address/session-search.ts'
import { takeReturnedPlace } from '../../lib/browser/left-place.ts'
import { sayError } from '../../lib/browser/say.ts'

const route = getRouteApi('/s/$key')

/** Which message the address names and which it shows; every way to another message, filter or find is an address too. */
export function useReading(sessionRef: string, hits: FindResult['hits'] | undefined) {
  const { q, mode, hit, show } = route.useSearch()
  const hash = useLocation({ select: (location) => location.hash })
  const client = useQueryClient()
  const visit = useVisit(sessionRef)
  const terms = useMemo(
    () => (q === undefined ? [] : foundTerms(hits ?? [], mode ?? 'words')),
    [q, mode, hits],
  )
  const [target, setTarget] = useState<JumpTarget | null>(null)
  const [lifted, setLifted] = useState<MessageFilter | null>(null)
  // addresses of own jumps that are on their way: they must not take back a jump that came after them
  const underway = useRef<string[]>([])
  const latestHash = useRef(hash)

  useEffect(() => {
    latestHash.current = hash
    const own = underway.current.indexOf(hash)
    underway.current.splice(0, own === -1 ? underway.current.length : own + 1)
    if (own !== -1) return
    const left = takeReturnedPlace()
    if (left !== null) {
      setTarget({ ...left, part: null, offset: null })
      return
    }
    const messageKey = messageKeyOf(hash) ?? hit ?? null
    if (messageKey === null) return
    const part = messagePartOf(hash)
    setTarget((current) => {
      const isSame = current?.messageKey === messageKey && current.part === part
      return isSame ? current : { messageKey, part, offset: null, top: null }
    })
  }, [hash, hit])

  const jumps = useRef(0)
  const jump = useCallback(
    (messageKey: string, offset: number | null) => {
      jumps.current += 1
      setLifted(null)
      setTarget({ messageKey, part: null, offset, top: null })
      const anchor = messageAnchor(messageKey)
      if (anchor !== latestHash.current) underway.current.push(anchor)
      visit((search) => search, anchor)
    },
    [visit],
  )
  const jumpTo = useCallback(
    (offset: number) => {
      jumps.current += 1
      const asked = jumps.current
      // the page that the conversation is going to show, so that it is asked for once
      const first = pageOf(offset) * PAGE_SIZE
      const page = messagesQuery(sessionRef, { offset: first, limit: PAGE_SIZE, show: undefined })
      client.fetchQuery(page).then(
        ({ messages }) => {
          const message = messages[offset - first]
          if (message !== undefined && jumps.current === asked) jump(message.key, offset)
        },
        (error: unknown) => {
          // who has left the page hears nothing of it
          if (jumps.current === asked && error instanceof ApiRequestError) sayError(error)
        },
      )
    },
    [client, sessionRef, jump],
  )
  const lift = useCallback(() => {
    setLifted(show ?? null)
    visit((search) => ({ ...search, show: undefined }), true)
  }, [visit, show])

  function showOnly(next: MessageFilter | undefined, place: number) {
    setLifted(null)
    setTarget(null)
    visit((search) => ({ ...search, show: next, hit: undefined }), '')
    // what was read stays in sight when all comes back
    if (next === undefined) jumpTo(place)
  }
  const find = (text: string) =>
    visit(
      (search) => ({ ...search, q: text || undefined, mode: text === '' ? undefined : search.mode }),
      true,
    )
  return { show, target, terms, jump, jumpTo, find, showOnly, lift, lifted }
}

export type Reading = ReturnType<typeof useReading>

/** Another address of the same session, without a step back in the history. */
function useVisit(sessionRef: string) {
  const navigate = route.useNavigate()
  return useCallback(
    (search: (current: SessionSearch) => SessionSearch, hash: string | true) => {
      void navigate({
        to: '/s/$key',
        params: { key: sessionRef },
        search,
        hash,
        replace: true,
        resetScroll: false,
        hashScrollIntoView: false,
      })
    },
    [navigate, sessionRef],
  )
}

/** More different matches than are worth marking. */
const MOST_TERMS = 100

/** What a find has matched, as it stands in the messages: words are marked whole, other matches wherever they are. */
function foundTerms(hits: FindResult['hits'], mode: FindQuery['mode']): HitTerm[] {
  const found = new Set<string>()
  for (const { snippet, ranges } of hits) {
    for (const [start, end] of ranges) found.add(snippet.slice(start, end))
    if (found.size >= MOST_TERMS) break
  }
  return [...found].map((word) => (mode === 'words' ? { word } : word))
}
