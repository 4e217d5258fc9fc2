import type { FindResult, MessageFilter } from '@gemini-dash/api'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useLocation } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { messagesQuery } from '../api/messages.ts'
import { hitTerms } from '../content/hit-terms.ts'
import type { JumpTarget } from '../features/conversation/list/jump-target.ts'
import { messageAnchor, messageKeyOf, messagePartOf } from '../features/conversation/message/message-link.ts'
import { foundTerms } from '../features/session-find/found-terms.ts'
import type { SessionSearch } from '../lib/session-search.ts'

const route = getRouteApi('/s/$key')

/** Which message the address names and which it shows; every way to another message, filter or find is an address too. */
export function useReading(sessionRef: string, hits: FindResult['hits'] | undefined) {
  const { q, mode, hit, show } = route.useSearch()
  const hash = useLocation({ select: (location) => location.hash })
  const client = useQueryClient()
  const visit = useVisit(sessionRef)
  const terms = useMemo(() => termsOf(q, mode, hits), [q, mode, hits])
  const [target, setTarget] = useState<JumpTarget | null>(null)
  const [lifted, setLifted] = useState<MessageFilter | null>(null)

  useEffect(() => {
    const messageKey = messageKeyOf(hash) ?? hit ?? null
    if (messageKey === null) return
    const part = messagePartOf(hash)
    setTarget((current) => {
      const isSame =
        current?.messageKey === messageKey &&
        current.part === part &&
        current.terms.join('\n') === terms.join('\n')
      return isSame ? current : { messageKey, part, offset: null, terms }
    })
  }, [hash, hit, terms])

  const jump = useCallback(
    (messageKey: string, offset: number | null) => {
      setLifted(null)
      setTarget({ messageKey, part: null, offset, terms })
      visit((search) => search, messageAnchor(messageKey))
    },
    [visit, terms],
  )
  const jumpTo = useCallback(
    (offset: number) => {
      void client.fetchQuery(messagesQuery(sessionRef, { offset, limit: 1 })).then(
        ({ messages: [message] }) => message && jump(message.key, offset),
        () => undefined,
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
  return { target, jump, jumpTo, find, showOnly, lift, lifted }
}

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

/** What is to be marked: the words of a query, or what its pattern has matched. */
function termsOf(q: string | undefined, mode: SessionSearch['mode'], hits: FindResult['hits'] | undefined) {
  if (q === undefined) return []
  return mode === undefined ? hitTerms(q) : foundTerms(hits ?? [])
}
