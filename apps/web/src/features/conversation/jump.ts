import type { MessageFilter, SessionDetail, SessionMap } from '@gemini-dash/api'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { fetchTranscript, messagesQuery } from '../../api/session.ts'
import { copyAndSay, copyText, say, sayCopied } from '../../lib/copy.ts'
import { keepCorrecting } from '../../lib/left-place.ts'
import { useKeptCalls } from '../../lib/list-hooks.ts'
import { messageAnchor } from '../../lib/session-words.ts'
import { useActions } from '../../lib/use-actions.ts'
import { pageOf } from './feed.ts'
import { messageKeyOf, messageLink } from './message-link.ts'
import type { ConversationHandle, OpenStore, StepKind } from './open-store.ts'
import type { ConversationMessageRow, Row } from './row.ts'
import { foldId, foldKeys } from './use-rows.ts'

/** Offsets among all messages. */
export interface ReadingPlace {
  /** The first message in the window. */
  top: number
  bottom: number
  /** The message being read: the last jump target while it is in the window, else the first visible one. */
  here: number
}

/** `aim`: the last message jumped to. */
export function readingPlace(top: number, bottom: number, aim: number | null): ReadingPlace {
  return { top, bottom, here: aim !== null && aim >= top && aim <= bottom ? aim : top }
}

/** A message to scroll to. A new object for every jump, even to the same message. */
export interface JumpTarget {
  messageKey: string
  /** A thought or tool call in it, such as `thought-2` or `call-0`. */
  part: string | null
  /** 0-based position in the session, if known. */
  offset: number | null
  /** Distance from the top of the window when the reader left it, px; null for a new jump. */
  top: number | null
}

interface Surroundings {
  detail: SessionDetail
  map: SessionMap | undefined
  rows: readonly Row[]
  store: OpenStore
  onJump: (messageKey: string, offset: number | null) => void
  onJumpTo: (offset: number) => void
  onEnd: () => void
  /** Scrolls the window by `distance` px. */
  leapBy: (distance: number) => void
  /** Offsets of the first and last visible message and of the one being read. */
  place: ReadingPlace
}

/**
 * Keys of the session page: step by message, prompt, answer and error through the whole session; open and close the current one. Returns
 * the step function for buttons.
 */
export function useMessageKeys(surroundings: Surroundings): ConversationHandle['step'] {
  const { detail, map, rows, store, onJump, onJumpTo, onEnd, leapBy, place } = surroundings
  const messages = rows.filter((row): row is ConversationMessageRow => row.kind === 'message')
  // until the focus arrives, the next step starts from the target of the last one
  const onItsWay = useRef({ key: '', sinceMs: Number.NEGATIVE_INFINITY })
  function jump(key: string, offset: number | null) {
    onItsWay.current = { key, sinceMs: performance.now() }
    onJump(key, offset)
  }
  const stepFrom = useSteps({ detail, map, here: place.here, onJump: jump, onJumpTo })

  /** The focused message, unless it was scrolled out of view. */
  function focused(): ConversationMessageRow | undefined {
    const key = focusedKey()
    const row = key === null ? undefined : messages.find((row) => row.key === key)
    return row !== undefined && row.offset >= place.top && row.offset <= place.bottom ? row : undefined
  }
  function here(): ConversationMessageRow | undefined {
    return focused() ?? messages.find((row) => row.offset >= place.here)
  }
  function current(): ConversationMessageRow | undefined {
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
      // rendered by the server: the text on the page may be truncated
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

/** Whether the key is for a scrollable box of its own, such as the outline or a long output. */
function scrollsByItself(target: EventTarget | null | undefined): boolean {
  for (let box = target instanceof Element ? target : null; box !== null; box = box.parentElement) {
    if (box === document.body) return false
    const { overflowY } = getComputedStyle(box)
    if (/auto|scroll/.test(overflowY) && box.scrollHeight > box.clientHeight) return true
  }
  return false
}

interface StepSurroundings {
  detail: SessionDetail
  map: SessionMap | undefined
  /** Offset of the message being read. */
  here: number
  onJump: (messageKey: string, offset: number | null) => void
  onJumpTo: (offset: number) => void
}

interface Step {
  kind: StepKind
  by: 1 | -1
  /** Offset of the focused message. */
  focused: number | null
}

/** Until then the list may still be scrolling: its position is not yet the reader's. */
const SETTLING_MS = 1_500

/** Steps between prompts, answers and errors of the whole session, once its map has loaded. */
function useSteps({ detail, map, here, onJump, onJumpTo }: StepSurroundings) {
  // until the list has scrolled, the next step starts from the target of the last one
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

/** The nearest position after or before `offset` with one of these letters; -1 if none. */
function nextOf(letters: string, wanted: string, offset: number, by: 1 | -1): number {
  for (let place = offset + by; place >= 0 && place < letters.length; place += by) {
    if (wanted.includes(letters[place] ?? ' ')) return place
  }
  return -1
}

const FLASH_MS = 2_000

interface JumpSurroundings {
  sessionRef: string
  /** The active filter. */
  show: MessageFilter | undefined
  target: JumpTarget | null
  rows: readonly Row[]
  loadedPages: ReadonlyMap<number, unknown>
  store: OpenStore
  /** Scrolls to where a row is expected from the known heights, `below` px from the top. */
  approachRow: (key: string, below: number) => void
  /** Scrolls the window by `distance` px. */
  moveWindow: (distance: number) => void
  /** Called if the filter hides the target. */
  onOutside: () => void
}

interface Jump {
  /** Page of the target, to be loaded. */
  page: number | null
  flashingKey: string | null
  isMissing: boolean
  /** Offset of the target among all messages, once known. */
  offset: number | null
}

/** Goes to a target: loads its page, opens its fold, scrolls to it, focuses it and flashes it once. */
export function useJump(surroundings: JumpSurroundings): Jump {
  const { sessionRef, show, target, rows, loadedPages, store, approachRow, moveWindow, onOutside } =
    surroundings
  const client = useQueryClient()
  const [resolved, setResolved] = useState<{ target: JumpTarget; at: number } | null>(null)
  const knownAt = show === undefined ? (target?.offset ?? null) : null
  // position in the filtered list; a position resolved for an earlier target must not be reused
  const at = knownAt ?? (resolved?.target === target ? (resolved?.at ?? null) : null)
  const [flashingKey, setFlashingKey] = useState<string | null>(null)
  const [isMissing, setIsMissing] = useState(false)
  const pending = useRef<JumpTarget | null>(null)
  const endSettling = useRef<() => void>(() => undefined)

  useEffect(() => {
    pending.current = target
    setIsMissing(false)
    if (target === null || knownAt !== null) return
    let isCurrent = true
    const around = messagesQuery(sessionRef, { around: target.messageKey, limit: 3, show })
    client.fetchQuery(around).then(
      (page) => {
        const index = page.messages.findIndex((message) => message.key === target.messageKey)
        if (!isCurrent) return
        if (index !== -1) setResolved({ target, at: page.offset + index })
        else if (show === undefined) setIsMissing(isGoneTo(target))
        else onOutside()
      },
      () => isCurrent && setIsMissing(isGoneTo(target)),
    )
    return () => {
      isCurrent = false
    }
  }, [client, sessionRef, show, target, knownAt, onOutside])

  useEffect(() => {
    if (target === null || pending.current !== target || at === null || !loadedPages.has(pageOf(at))) return
    const place = findRow(rows, target.messageKey, at)
    if (place.kind === 'folded') {
      store.set(place.messageKeys.map(foldId), true)
      return
    }
    pending.current = null
    const row = place.kind === 'row' ? rows[place.index] : undefined
    if (place.kind === 'missing' || row === undefined) {
      setIsMissing(isGoneTo(target))
      return
    }
    const { part } = target
    const top = target.top ?? window.innerHeight / 3
    const anchor = messageAnchor(row.key)
    if (part !== null) store.set(openId(row.key, part), true)
    endSettling.current()
    endSettling.current = settleScroll({
      top,
      find: () =>
        isGoneTo(target) ? (partOf(row.key, part) ?? hitOrMessage(anchor)) : document.getElementById(anchor),
      approach: () => approachRow(row.key, top),
      move: moveWindow,
      onArrived: () => {
        if (!isGoneTo(target)) return
        // keeps the focus on a slider that is being moved by keyboard
        if (!document.activeElement?.matches('[role=slider]:focus-visible'))
          document.getElementById(anchor)?.focus({ preventScroll: true })
        const shownPart = partOf(row.key, part)
        if (shownPart === null) setFlashingKey(row.key)
        else flash(shownPart)
      },
    })
  }, [target, rows, loadedPages, at, store, approachRow, moveWindow])

  useEffect(() => {
    if (flashingKey === null) return
    const timer = window.setTimeout(() => setFlashingKey(null), FLASH_MS)
    return () => window.clearTimeout(timer)
  }, [flashingKey])

  useEffect(() => () => endSettling.current(), [])
  const offset = target?.offset ?? (show === undefined ? at : null)
  return { page: at === null ? null : pageOf(at), flashingKey, isMissing, offset }
}

/** A return restores the scroll position; a new jump focuses its target. */
function isGoneTo({ top }: JumpTarget): boolean {
  return top === null
}

/** The first highlighted word, which may be far down in a long message; else the message itself. */
function hitOrMessage(id: string): HTMLElement | null {
  const message = document.getElementById(id)
  const mark = message?.querySelector<HTMLElement>('mark:not(.tool-match)')
  if (!mark) return message
  // inside an output with its own scrollbar
  const box = mark.closest('.scroll-x')
  if (box !== null && box.scrollHeight > box.clientHeight) {
    const distance = mark.getBoundingClientRect().top - box.getBoundingClientRect().top
    if (distance < 0 || distance > box.clientHeight - 24) box.scrollTop += distance - box.clientHeight / 3
  }
  return mark
}

/** The thoughts of a message open together, tool calls individually. */
function openId(messageKey: string, part: string): string {
  return part.startsWith('thought-') ? `${messageKey}/thoughts` : `${messageKey}/${part}`
}

function partOf(messageKey: string, part: string | null): HTMLElement | null {
  return part === null ? null : document.getElementById(messageAnchor(messageKey, part))
}

function flash(element: HTMLElement): void {
  element.classList.add('flashing')
  window.setTimeout(() => element.classList.remove('flashing'), FLASH_MS)
}

type RowPlace =
  | { kind: 'row'; index: number }
  /** Inside a closed fold that must be opened first. */
  | { kind: 'folded'; messageKeys: string[] }
  | { kind: 'missing' }

/** Where a message is drawn. One without a row of its own (a tool result) is found at the row before it. */
function findRow(rows: readonly Row[], messageKey: string, at: number | null): RowPlace {
  let before = -1
  for (const [index, row] of rows.entries()) {
    if (row.kind === 'message') {
      if (row.key === messageKey) return { kind: 'row', index }
      if (at !== null && row.at <= at) before = index
    }
    if (row.kind === 'fold' && row.fold.messages.some(({ message }) => message.key === messageKey)) {
      if (!row.fold.isOpen) return { kind: 'folded', messageKeys: foldKeys(row.fold) }
      before = index
    }
  }
  return before === -1 ? { kind: 'missing' } : { kind: 'row', index: before }
}

interface Target {
  /** Target position, px from the top of the window. */
  top: number
  /** The element, once drawn. */
  find: () => HTMLElement | null
  /** Scrolls near the target, so that it gets drawn. */
  approach: () => void
  /** Scrolls the window by `distance` px. */
  move: (distance: number) => void
  onArrived: () => void
}

/**
 * Scrolls an element that may not be drawn yet into position, and keeps it there until its surroundings have their heights. Newly visible
 * rows are drawn in the same frame. Returns a function that stops it.
 */
function settleScroll({ top, find, approach, move, onArrived }: Target): () => void {
  function correct(): boolean {
    const before = window.scrollY
    const element = find()
    if (element === null) {
      flushSync(approach)
      return true
    }
    const distance = element.getBoundingClientRect().top - top
    if (Math.abs(distance) > 1) flushSync(() => move(distance))
    return Math.abs(window.scrollY - before) > 1
  }
  return keepCorrecting({ correct, onArrived })
}
