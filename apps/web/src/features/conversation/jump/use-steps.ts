import type { SessionDetail, SessionMap } from '@gemini-dash/api'
import { useRef } from 'react'
import { useKeptCalls } from '../../../lib/hooks/use-kept-calls.ts'
import type { StepKind } from '../open/conversation-handle.ts'

interface Surroundings {
  detail: SessionDetail
  map: SessionMap | undefined
  /** Place of the message that is being read. */
  here: number
  onJump: (messageKey: string, offset: number | null) => void
  onJumpTo: (offset: number) => void
}

interface Step {
  kind: StepKind
  by: 1 | -1
  /** Place of the message that has the focus. */
  focused: number | null
}

/** Until then the list may still be on its way: where it stands is not where the reader is. */
export const SETTLING_MS = 1_500

/** Steps from prompt to prompt, answer to answer and error to error of the whole session, once its map is here. */
export function useSteps({ detail, map, here, onJump, onJumpTo }: Surroundings) {
  // until the list has moved, the next step begins where the last one leads
  const onItsWay = useRef({ from: here, to: here, sinceMs: Number.NEGATIVE_INFINITY })

  function stepToPrompt(from: number, by: 1 | -1) {
    const turns = detail.outline.filter((turn) => turn.number > 0)
    const next =
      by === 1
        ? turns.find((turn) => turn.firstOffset > from)
        : turns.findLast((turn) => turn.firstOffset < from)
    if (next === undefined) return
    onItsWay.current = { from: here, to: next.firstOffset, sinceMs: performance.now() }
    onJump(next.messageKey, next.firstOffset)
  }
  function stepAlong(letters: string, wanted: string, from: number, by: 1 | -1) {
    const next = nextOf(letters, wanted, from, by)
    if (next === -1) return
    onItsWay.current = { from: here, to: next, sinceMs: performance.now() }
    onJumpTo(next)
  }
  function take({ kind, by, focused }: Step) {
    const { from: start, to, sinceMs } = onItsWay.current
    const isSettling = performance.now() - sinceMs < SETTLING_MS
    const from = (start === here && to !== here) || isSettling ? to : (focused ?? here)
    if (kind === 'prompt') stepToPrompt(from, by)
    if (kind === 'answer') stepAlong(map?.voices ?? '', 'a', from, by)
    if (kind === 'error') stepAlong(map?.marks ?? '', '1357', from, by)
  }
  // prompts are known without the map
  const takeOrKeep = useKeptCalls<Step>(map !== undefined, (steps) => steps.forEach(take))
  return (kind: StepKind, by: 1 | -1, focused: number | null): undefined => {
    if (kind === 'prompt') take({ kind, by, focused })
    else takeOrKeep({ kind, by, focused })
  }
}

/** The nearest place after or before `offset` that has one of these letters; -1 if there is none. */
function nextOf(letters: string, wanted: string, offset: number, by: 1 | -1): number {
  for (let place = offset + by; place >= 0 && place < letters.length; place += by) {
    if (wanted.includes(letters[place] ?? ' ')) return place
  }
  return -1
}
