import type { SessionDetail, SessionMap } from '@gemini-dash/api'
import { useRef } from 'react'
import { fetchTranscript } from '../../../api/session/session.ts'
import { useActions } from '../../../lib/actions/use-actions.ts'
import { copyAndSay, copyText } from '../../../lib/browser/copy-text.ts'
import { say, sayCopied } from '../../../lib/browser/say.ts'
import type { ConversationHandle, StepKind } from '../open/conversation-handle.ts'
import type { OpenStore } from '../open/open-store.ts'
import { messageKeyOf, messageLink } from '../part/message-link.ts'
import type { Row } from '../rows/row.ts'
import type { ReadingPlace } from './reading-place.ts'
import { SETTLING_MS, useSteps } from './use-steps.ts'

interface Surroundings {
  detail: SessionDetail
  map: SessionMap | undefined
  rows: readonly Row[]
  store: OpenStore
  onJump: (messageKey: string, offset: number | null) => void
  onJumpTo: (offset: number) => void
  onEnd: () => void
  /** Moves the window by so many px. */
  leapBy: (distance: number) => void
  /** Places of the first and the last message in the window, and of the one that is being read. */
  place: ReadingPlace
}

type MessageRow = Extract<Row, { kind: 'message' }>

/** The keys of the session page: by message, prompt, answer and error of the whole session; open and close what is here. Returns the steps, for buttons. */
export function useMessageKeys(surroundings: Surroundings): ConversationHandle['step'] {
  const { detail, map, rows, store, onJump, onJumpTo, onEnd, leapBy, place } = surroundings
  const messages = rows.filter((row): row is MessageRow => row.kind === 'message')
  // until the focus is there, the next step begins where the last one leads
  const onItsWay = useRef({ key: '', sinceMs: Number.NEGATIVE_INFINITY })
  function jump(key: string, offset: number | null) {
    onItsWay.current = { key, sinceMs: performance.now() }
    onJump(key, offset)
  }
  const stepFrom = useSteps({ detail, map, here: place.here, onJump: jump, onJumpTo })

  /** What has the focus, unless it was scrolled away. */
  function focused(): MessageRow | undefined {
    const key = focusedKey()
    const row = key === null ? undefined : messages.find((row) => row.key === key)
    return row !== undefined && row.offset >= place.top && row.offset <= place.bottom ? row : undefined
  }
  function here(): MessageRow | undefined {
    return focused() ?? messages.find((row) => row.offset >= place.here)
  }
  function current(): MessageRow | undefined {
    const { key, sinceMs } = onItsWay.current
    const isArriving = performance.now() - sinceMs < SETTLING_MS && focusedKey() !== key
    return (isArriving ? messages.find((row) => row.key === key) : undefined) ?? focused()
  }
  function stepRow(by: 1 | -1): undefined {
    const from = current()
    const next = from === undefined ? here() : messages[messages.indexOf(from) + by]
    if (next !== undefined) jump(next.key, next.offset)
  }
  const step = (kind: StepKind, by: 1 | -1): undefined => stepFrom(kind, by, focused()?.offset ?? null)
  function toggleThoughts(): undefined {
    const id = `${here()?.key}/thoughts`
    store.set(id, store.choice(id) !== true)
  }
  function toggleTools(): undefined {
    const row = here()
    if (row === undefined) return
    const ids = row.message.toolCalls.map((_, index) => `${row.key}/call-${index}`)
    const areOpen = row.message.toolCalls.map((call, index) => store.choice(ids[index] ?? '') ?? call.failed)
    store.set(ids, !areOpen.every(Boolean))
  }
  const goStart = (): undefined => void leapBy(-window.scrollY)
  useActions({
    nextRow: () => stepRow(1),
    previousRow: () => stepRow(-1),
    nextTurn: () => step('prompt', 1),
    previousTurn: () => step('prompt', -1),
    nextAnswer: () => step('answer', 1),
    previousAnswer: () => step('answer', -1),
    nextError: () => step('error', 1),
    previousError: () => step('error', -1),
    toggleThoughts,
    toggleAllThoughts: () => void store.toggleAll('thoughts'),
    toggleTools,
    toggleAllTools: () => void store.toggleAll('calls'),
    goEnd: () => void onEnd(),
    goStart,
    toEnd: (event) => (scrollsByItself(event?.target) ? false : void onEnd()),
    toStart: (event) => (scrollsByItself(event?.target) ? false : goStart()),
    copyMessageLink: () => {
      const row = here()
      if (row !== undefined) void copyText(messageLink(row.key)).then(sayCopied)
      return undefined
    },
    copyMessage: () => {
      const row = here()
      // the server writes it: what stands here may have been cut for the page
      if (row !== undefined)
        void copyAndSay(fetchTranscript(detail.session.key, { as: 'markdown', message: row.key })).then(
          ({ said }) => say(said),
        )
      return undefined
    },
  })
  return step
}

function focusedKey(): string | null {
  const article = document.activeElement?.closest('article')
  return article ? messageKeyOf(article.id) : null
}

/** The key is meant for a box of its own, such as the outline or a long output. */
function scrollsByItself(target: EventTarget | null | undefined): boolean {
  for (let box = target instanceof Element ? target : null; box !== null; box = box.parentElement) {
    if (box === document.body) return false
    const { overflowY } = getComputedStyle(box)
    if (/auto|scroll/.test(overflowY) && box.scrollHeight > box.clientHeight) return true
  }
  return false
}
