import type { MessageFilter } from '@gemini-dash/api'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { messagesQuery } from '../../../api/session/messages.ts'
import { keepCorrecting } from '../../../lib/browser/keep-correcting.ts'
import { pageOf } from '../feed/page-size.ts'
import type { OpenStore } from '../open/open-store.ts'
import { messageAnchor } from '../part/message-link.ts'
import { foldId } from '../rows/fold-id.ts'
import { foldKeys } from '../rows/fold-keys.ts'
import type { Row } from '../rows/row.ts'
import type { JumpTarget } from './jump-target.ts'

const FLASH_MS = 2_000

interface Surroundings {
  sessionRef: string
  /** The filter that the list is read under. */
  show: MessageFilter | undefined
  target: JumpTarget | null
  rows: readonly Row[]
  loadedPages: ReadonlyMap<number, unknown>
  store: OpenStore
  /** Scrolls so far above where a row is expected by what is known of the heights before it, px. */
  approachRow: (key: string, below: number) => void
  /** Moves the window by so many px. */
  moveWindow: (distance: number) => void
  /** The filter leaves the target out. */
  onOutside: () => void
}

export interface Jump {
  /** Page that the target is on, to be loaded. */
  page: number | null
  flashingKey: string | null
  isMissing: boolean
  /** Place of the target among all messages, once it is known. */
  offset: number | null
}

/** Follows a target: finds its page, opens its fold, scrolls to it, gives it the focus and lets it flash once. */
export function useJump(surroundings: Surroundings): Jump {
  const { sessionRef, show, target, rows, loadedPages, store, approachRow, moveWindow, onOutside } =
    surroundings
  const client = useQueryClient()
  const [resolved, setResolved] = useState<{ target: JumpTarget; at: number } | null>(null)
  const knownAt = show === undefined ? (target?.offset ?? null) : null
  // place in the list that is read; that of the target before must not be taken for this one's
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
        // who walks a slider goes on walking it
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

/** Who comes back wants what they saw; who goes to a message is led to it. */
function isGoneTo({ top }: JumpTarget): boolean {
  return top === null
}

/** The first marked word, which may be far down in a long message; else the message itself. */
function hitOrMessage(id: string): HTMLElement | null {
  const message = document.getElementById(id)
  const mark = message?.querySelector<HTMLElement>('mark:not(.tool-match)')
  if (!mark) return message
  // inside an output that scrolls by itself
  const box = mark.closest('.scroll-x')
  if (box !== null && box.scrollHeight > box.clientHeight) {
    const distance = mark.getBoundingClientRect().top - box.getBoundingClientRect().top
    if (distance < 0 || distance > box.clientHeight - 24) box.scrollTop += distance - box.clientHeight / 3
  }
  return mark
}

/** Thoughts of a message open together, calls one by one. */
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
  /** Inside a closed fold that has to be opened first. */
  | { kind: 'folded'; messageKeys: string[] }
  | { kind: 'missing' }

/** Where a message is drawn. One that is not drawn itself (a tool's result) is shown by the row before it. */
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
  /** Where it is to be, px from the top of the window. */
  top: number
  /** The element, once it is drawn. */
  find: () => HTMLElement | null
  /** Scrolls to where it should be, so that it gets drawn. */
  approach: () => void
  /** Moves the window by so many px. */
  move: (distance: number) => void
  onArrived: () => void
}

/**
 * Brings an element that is only about to be drawn to its place in the window, and holds it there until its
 * surroundings have their heights. What comes into sight by that is drawn in the same frame. Returns the function
 * that ends it.
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
