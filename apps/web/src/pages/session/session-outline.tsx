import type { FindQuery, FindResult, MessageFilter, MessageMark } from '@gemini-dash/api'
import { toolLabel } from '@gemini-dash/api/tool-label'
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useLocation } from '@tanstack/react-router'
import type { SessionSummary, TimelineStep } from 'gemini-sessions'
import {
  memo,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { messageMarksQuery } from '../../api/marks.ts'
import { ApiRequestError, isUnanswered } from '../../api/request.ts'
import { messagesQuery, type ShownDetail } from '../../api/session.ts'
import { sessionAnswerQuery } from '../../api/session-answer.ts'
import type { HitTerm } from '../../content/machine-text.tsx'
import { PAGE_SIZE, pageOf } from '../../features/conversation/feed.ts'
import type { JumpTarget, ReadingPlace } from '../../features/conversation/jump.ts'
import { messageKeyOf, messagePartOf } from '../../features/conversation/message-link.ts'
import { stopInSight } from '../../features/conversation/stop-in-sight.ts'
import { FILTER_NAMES } from '../../features/filter-names.ts'
import { MarkedMessages } from '../../features/marked-messages.tsx'
import {
  HIGHLIGHTS_FROM,
  hasFailed,
  highlights,
  OutlineMenu,
  OutlineView,
  outlineItems,
} from '../../features/outline.tsx'
import { ReasoningOutline } from '../../features/reasoning.tsx'
import { countText, foundPlaces, stepFrom } from '../../features/session-find.tsx'
import { TimeOutline, useOpenStep } from '../../features/timeline.tsx'
import { SessionStrip } from '../../features/token-chart/strip.tsx'
import { TokenChart } from '../../features/token-chart/token-chart.tsx'
import { sayError } from '../../lib/copy.ts'
import { useLatest } from '../../lib/hooks.ts'
import { type SessionFind, sessionFind, takeReturnedPlace } from '../../lib/left-place.ts'
import { useKeptCalls } from '../../lib/list-hooks.ts'
import { keptChoice } from '../../lib/preferences.ts'
import type { SessionSearch } from '../../lib/session-search.ts'
import { messageAnchor } from '../../lib/session-words.ts'
import { useActions } from '../../lib/use-actions.ts'
import { Failed, FailedLine } from '../../ui/states.tsx'

const NO_MARKS: Record<string, MessageMark> = {}
const BY = [
  { value: 'turn', label: 'By turn' },
  { value: 'time', label: 'By time' },
] as const

/** The last choice is stored. */
const outlineBy = keptChoice<'turn' | 'time'>(
  'gemini-dash.outline-by',
  (kept) => (kept === 'time' ? 'time' : 'turn'),
  (by) => (by === 'turn' ? null : by),
)

interface Props {
  sessionRef: string
  detail: ShownDetail
  reading: Reading
  /** Offset of the message being read. */
  place: number
  onOpenThoughts: (messageKeys: string[], isOpen: boolean) => void
}

type Listed = 'highlights' | 'turns' | 'marked' | MessageFilter

/** The outline: turns or steps, optionally filtered. Its filter also applies to the conversation. */
export function SessionOutline({ sessionRef, detail, reading, place, onOpenThoughts }: Props) {
  const { outline, beginning } = detail
  const [chosen, setChosen] = useState<'highlights' | 'turns' | 'marked' | null>(null)
  const by = useSyncExternalStore(outlineBy.subscribe, outlineBy.get)
  const askedMarks = useQuery(messageMarksQuery(sessionRef))
  const said = askedMarks.data ?? NO_MARKS
  const marks = Object.fromEntries(Object.entries(said).filter(([, { star, note }]) => star || note !== ''))
  const hasMarks = Object.keys(marks).length > 0
  const hasHighlights = outline.filter(({ number }) => number > 0).length >= HIGHLIGHTS_FROM
  const first = hasHighlights ? 'highlights' : 'turns'
  // the last mark may have been removed
  const own = chosen === null || (chosen === 'marked' && !hasMarks) ? first : chosen
  const listed: Listed = reading.show ?? own
  const options: { value: Listed; label: string }[] = [
    ...(hasHighlights ? [{ value: 'highlights' as const, label: 'Highlights' }] : []),
    { value: 'turns', label: 'All turns' },
    ...(['errors', 'edits', 'shell', 'thoughts', 'dialogue'] as const).map((value) => ({
      value,
      label: FILTER_NAMES[value],
    })),
    ...(hasMarks ? [{ value: 'marked' as const, label: 'Starred and noted' }] : []),
  ]
  function choose(value: string) {
    const next = value as Listed
    const isOwn = next === 'highlights' || next === 'turns' || next === 'marked'
    if (isOwn) setChosen(next)
    const show = isOwn ? undefined : next
    if (show !== reading.show) reading.showOnly(show, place)
  }
  const isByTime = by === 'time' && listed !== 'marked'
  return (
    <>
      <div className="outline-head">
        <OutlineMenu
          label="Outline"
          face={`${options.find(({ value }) => value === listed)?.label ?? ''}${isByTime ? ' by time' : ''}`}
          groups={[
            { label: 'Show', value: listed, options, onChange: choose },
            {
              label: 'View',
              value: by,
              options: BY,
              onChange: (value) => outlineBy.set(value === 'time' ? 'time' : 'turn'),
            },
          ]}
        />
      </div>
      <FailedLine what="Your stars, notes and tags couldn’t be loaded." asked={askedMarks} />
      {listed === 'marked' ? (
        <MarkedMessages {...{ sessionRef, marks }} onJump={reading.jump} />
      ) : isByTime && beginning === undefined ? (
        <Steps {...{ sessionRef, detail, reading, place, listed }} />
      ) : listed === 'thoughts' ? (
        <Thoughts {...{ sessionRef, detail, reading, place, onOpenThoughts }} />
      ) : (
        <Turns {...{ sessionRef, detail, reading, place, listed }} />
      )}
    </>
  )
}

interface ListProps {
  sessionRef: string
  detail: ShownDetail
  reading: Reading
  place: number
  listed: Listed
}

function Turns({ sessionRef, detail, reading, place, listed }: ListProps) {
  const { session, outline, compressions, resumedKeys, beginning } = detail
  const ofChanges = listed === 'edits' || listed === 'shell'
  const { data: changes } = useQuery({
    ...sessionAnswerQuery('changes', sessionRef),
    enabled: ofChanges && beginning === undefined,
  })
  const items = useMemo(() => {
    if (listed === 'highlights')
      return highlights(outline).map((turn) => ({ kind: 'turn' as const, key: turn.messageKey, turn }))
    if (listed === 'turns' || listed === 'dialogue')
      return outlineItems({ turns: outline, compressions, resumedKeys })
    const step = listed === 'edits' ? 'edit' : 'command'
    const numbers = new Set(
      changes?.turns.flatMap(({ number, steps }) => (steps.some(({ kind }) => kind === step) ? number : [])),
    )
    return outline
      .filter((turn) => turn.number > 0 && (ofChanges ? numbers.has(turn.number) : hasFailed(turn)))
      .map((turn) => ({ kind: 'turn' as const, key: turn.messageKey, turn }))
  }, [listed, ofChanges, outline, compressions, resumedKeys, changes])
  const turn = outline.findLast(({ firstOffset }) => firstOffset <= place)
  return (
    <OutlineView
      items={items}
      current={turn?.number ?? 0}
      fate={sharedFate(session)}
      isPartial={beginning !== undefined || (ofChanges && changes === undefined)}
      onJump={reading.jump}
    />
  )
}

const EDITS = new Set(['Edit', 'WriteFile'])

function isListed(listed: Listed): (step: TimelineStep) => boolean {
  if (listed === 'errors') return ({ failed }) => failed
  if (listed === 'thoughts') return ({ thoughts }) => thoughts.length > 0
  if (listed === 'edits') return ({ kind, label }) => kind === 'tool' && EDITS.has(toolLabel(label))
  if (listed === 'shell') return ({ kind, label }) => kind === 'tool' && toolLabel(label) === 'Shell'
  if (listed === 'dialogue') return ({ kind }) => kind === 'prompt' || kind === 'model'
  return () => true
}

function Steps({ sessionRef, detail, reading, place, listed }: ListProps) {
  const { data: timeline, error, refetch } = useQuery(sessionAnswerQuery('timeline', sessionRef))
  const onOpen = useOpenStep(detail.session.key, reading.jump)
  const isWanted = useMemo(() => isListed(listed), [listed])
  if (timeline !== undefined)
    return <TimeOutline {...{ timeline, isWanted, place, onOpen }} sessionKey={detail.session.key} />
  if (error === null) return <p className="outline-none">Loading the steps…</p>
  return <Failed what="The steps couldn’t be loaded." error={error} onRetry={() => void refetch()} />
}

function Thoughts({ sessionRef, detail, reading, place, onOpenThoughts }: Props) {
  const { data: reasoning, error, refetch } = useQuery(sessionAnswerQuery('reasoning', sessionRef))
  if (reasoning !== undefined)
    return (
      <ReasoningOutline
        reasoning={reasoning}
        turns={detail.outline}
        place={place}
        onJump={reading.jump}
        onOpenThoughts={onOpenThoughts}
      />
    )
  if (error === null) return <p className="outline-none">Loading the thoughts…</p>
  return <Failed what="The thoughts couldn’t be loaded." error={error} onRetry={() => void refetch()} />
}

/** Outcome of all failed tool calls of a session, else the worst one. */
function sharedFate({ fates }: Pick<SessionSummary, 'fates'>) {
  if (fates === null || fates.stillFailing > 0) return 'stillFailing' as const
  return fates.neverRerun > 0 ? ('neverRerun' as const) : ('laterSucceeded' as const)
}

const route = getRouteApi('/s/$key')

/** The message in the address and the one being shown; every jump, filter or search is an address, too. */
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
  // hashes of pending jumps of our own: they must not undo a later jump
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
      // the page that the conversation will show, so that it is requested once
      const first = pageOf(offset) * PAGE_SIZE
      const page = messagesQuery(sessionRef, { offset: first, limit: PAGE_SIZE, show: undefined })
      client.fetchQuery(page).then(
        ({ messages }) => {
          const message = messages[offset - first]
          if (message !== undefined && jumps.current === asked) jump(message.key, offset)
        },
        (error: unknown) => {
          // not shown after leaving the page
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
    // keeps the reading position when a filter is removed
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

/** Navigates within the session, replacing the history entry. */
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

/** More different matches are not worth marking. */
const MOST_TERMS = 100

/** Matched texts of a search, for highlighting: words as a whole, other matches anywhere. */
function foundTerms(hits: FindResult['hits'], mode: FindQuery['mode']): HitTerm[] {
  const found = new Set<string>()
  for (const { snippet, ranges } of hits) {
    for (const [start, end] of ranges) found.add(snippet.slice(start, end))
    if (found.size >= MOST_TERMS) break
  }
  return [...found].map((word) => (mode === 'words' ? { word } : word))
}

/** Too few bars to be useful below this. */
const MIN_STRIP_REQUESTS = 8

/** Applies to all sessions. */
const isChartUnfolded = keptChoice<boolean>(
  'gemini-dash.chart',
  (kept) => kept === 'unfolded',
  (isUnfolded) => (isUnfolded ? 'unfolded' : null),
)

interface SessionChartProps {
  sessionRef: string
  detail: ShownDetail
  place: ReadingPlace
  onJump: (messageKey: string, offset: number | null) => void
  onScrollTo: (offset: number) => void
}

/** Tokens of each request as a strip that expands to the chart. */
export const SessionChart = memo(function SessionChart(props: SessionChartProps) {
  const { sessionRef, detail, place, onJump, onScrollTo } = props
  const { outline, compressions, beginning, session } = detail
  const isUnfolded = useSyncExternalStore(isChartUnfolded.subscribe, isChartUnfolded.get)
  const recordedCalls = outline.reduce((sum, { usage }) => sum + usage.calls - usage.callsWithoutTokens, 0)
  const fold = useCallback(() => isChartUnfolded.set(false), [])
  const unfold = useCallback(() => isChartUnfolded.set(true), [])
  useActions({ toggleChart: () => void isChartUnfolded.set(!isUnfolded) })
  if (isUnfolded && beginning === undefined)
    return (
      <div className="session-chart">
        <TokenChart {...{ sessionRef, recordedCalls, compressions, onJump }} onFold={fold} />
      </div>
    )
  if (recordedCalls < MIN_STRIP_REQUESTS) return null
  return (
    <SessionStrip
      {...{ sessionRef, compressions, place, onJump, onScrollTo }}
      isPartial={beginning !== undefined}
      fate={sharedFate(session)}
      onUnfold={unfold}
    />
  )
})

interface Options {
  sessionKey: string
  q: string | undefined
  asked: UseQueryResult<FindResult>
  reading: Reading
  /** Offset of the message at the top of the window. */
  place: number
  /** Whether the conversation is the open view. */
  isShown: boolean
}

/** Search in this session, stepping from message to message; the palette input shows text, count and buttons. */
export function useFind({ sessionKey, q, asked, reading, place, isShown }: Options): void {
  const hits = q === undefined ? undefined : asked.data?.hits
  const places = useMemo(() => foundPlaces(hits ?? []), [hits])
  const hereKey = reading.target?.messageKey ?? null
  const indexOf = (key: string | null) => places.findIndex(({ messageKey }) => messageKey === key)
  const latestKey = useLatest(hereKey)
  const stepOrKeep = useKeptCalls<1 | -1>(hits !== undefined, (steps) => {
    const at = steps.reduce((from, by) => stepFrom(places, from, place, by), indexOf(latestKey.current))
    const next = places[at]
    if (next === undefined) return
    latestKey.current = next.messageKey
    reading.jump(next.messageKey, next.offset)
  })
  function end(before: Element | null) {
    const message = hereKey && document.getElementById(messageAnchor(hereKey))
    reading.find('')
    const back = message || (before?.isConnected && before !== document.body ? before : null) || stopInSight()
    if (back instanceof HTMLElement) back.focus({ preventScroll: true })
  }
  const latest = useLatest({ look: reading.find, step: stepOrKeep, end })
  const isFinding = isShown && q !== undefined
  useActions(
    isFinding
      ? { nextHit: () => void latest.current.step(1), previousHit: () => void latest.current.step(-1) }
      : {},
  )

  const shownCount = hits === undefined ? '' : countText(places, indexOf(hereKey))
  const hasHits = places.length > 0
  const isFailed = isFinding && isUnanswered(asked)
  const latestAsked = useLatest(asked)
  useLayoutEffect(() => {
    if (!isShown) return
    const find: SessionFind = {
      ...{ sessionKey, q, hasHits, countText: shownCount },
      failure: isFailed ? <FailedLine what="Find failed." asked={latestAsked.current} /> : null,
      look: (text) => latest.current.look(text),
      step: (by) => latest.current.step(by),
      end: (before) => latest.current.end(before),
    }
    sessionFind.set(find)
  }, [isShown, sessionKey, q, shownCount, hasHits, isFailed, latest, latestAsked])
  // separate, so that new results do not close the search
  useLayoutEffect(() => (isShown ? () => sessionFind.set(null) : undefined), [isShown])
}
