import type { SessionDetail, SessionMap } from '@gemini-dash/api'
import { copyText } from '../../../lib/copy-text.ts'
import { useShortcuts } from '../../../lib/use-shortcuts.ts'
import { messageKeyOf, messageLink } from '../message/message-link.ts'
import type { OpenStore } from '../open-store.ts'
import type { Row } from '../rows/row.ts'

interface Surroundings {
  detail: SessionDetail
  map: SessionMap | undefined
  rows: readonly Row[]
  store: OpenStore
  onJump: (messageKey: string, offset: number | null) => void
  onJumpTo: (offset: number) => void
  onEnd: () => void
  topOffset: number
}

type MessageRow = Extract<Row, { kind: 'message' }>

/** The keys of the session page: by message, prompt, answer and error of the whole session; open and close what is here. */
export function useMessageKeys(surroundings: Surroundings) {
  const { detail, map, rows, store, onJump, onJumpTo, onEnd, topOffset } = surroundings
  const messages = rows.filter((row): row is MessageRow => row.kind === 'message')

  function here(): MessageRow | undefined {
    const article = document.activeElement?.closest('article')
    const key = article ? messageKeyOf(article.id) : null
    return messages.find((row) => row.key === key) ?? messages.find((row) => row.offset >= topOffset)
  }
  function step(by: 1 | -1): undefined {
    const current = here()
    const isFocused = document.activeElement?.closest('article') != null
    const index = current === undefined ? 0 : messages.indexOf(current) + (isFocused ? by : 0)
    const next = messages[index]
    if (next !== undefined) onJump(next.key, next.offset)
  }
  function turn(by: 1 | -1): undefined {
    const offset = here()?.offset ?? topOffset
    const turns = detail.outline.filter((turn) => turn.number > 0)
    const next =
      by === 1
        ? turns.find((turn) => turn.firstOffset > offset)
        : turns.findLast((turn) => turn.firstOffset < offset)
    if (next !== undefined) onJump(next.messageKey, next.firstOffset)
  }
  function along(by: 1 | -1, letters: string | undefined, wanted: string): undefined {
    const offset = here()?.offset ?? topOffset
    const next = nextOf(letters ?? '', wanted, offset, by)
    if (next !== -1) onJumpTo(next)
  }
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
  useShortcuts({
    nextRow: () => step(1),
    previousRow: () => step(-1),
    nextTurn: () => turn(1),
    previousTurn: () => turn(-1),
    nextAnswer: () => along(1, map?.voices, 'a'),
    previousAnswer: () => along(-1, map?.voices, 'a'),
    nextError: () => along(1, map?.marks, '13'),
    previousError: () => along(-1, map?.marks, '13'),
    toggleThoughts,
    toggleTools,
    goEnd: () => void onEnd(),
    goStart: () => void window.scrollTo({ top: 0, behavior: 'instant' }),
    copyMessageLink: () => {
      const row = here()
      if (row !== undefined) void copyText(messageLink(row.key))
      return undefined
    },
  })
}

/** The nearest place after or before `offset` that has one of these letters; -1 if there is none. */
function nextOf(letters: string, wanted: string, offset: number, by: 1 | -1): number {
  for (let place = offset + by; place >= 0 && place < letters.length; place += by) {
    if (wanted.includes(letters[place] ?? ' ')) return place
  }
  return -1
}
