import {
  type FormEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { changedTexts } from './browser.ts'

/** `Usage - gemini-dash`; undefined parts (not loaded yet) are left out. */
export function useDocumentTitle(...parts: (string | undefined)[]) {
  const title = [...parts, 'gemini-dash'].filter(Boolean).join(' - ')
  useEffect(() => {
    document.title = title
  }, [title])
}

/**
 * The latest state for key handlers. Code that changes what is shown also writes it here, so that a key before the next render continues
 * from there.
 */
export function useLatest<Shown>(shown: Shown): RefObject<Shown> {
  const latest = useRef(shown)
  useLayoutEffect(() => {
    latest.current = shown
  }, [shown])
  return latest
}

/** null when rendered on paper, which has a fixed width. */
const narrow = globalThis.matchMedia?.('(max-width: 47.5em)') ?? null

/** Single-column layout: phones and narrow windows. The same breakpoint as in the style sheets; scales with the reader's text size. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, isNarrow, isNarrow)
}

function isNarrow(): boolean {
  return narrow?.matches ?? false
}

function subscribe(listener: () => void) {
  narrow?.addEventListener('change', listener)
  return () => narrow?.removeEventListener('change', listener)
}

/** Width of the element that gets `ref`, in CSS px: known before the first paint and kept current. */
export function useElementWidth(): {
  ref: (element: HTMLElement | null) => (() => void) | undefined
  width: number
} {
  const [width, setWidth] = useState(0)
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined
    // the observer reports only after a first frame without it, and the content would jump
    setWidth(contentWidth(element))
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { ref, width }
}

function contentWidth(element: HTMLElement): number {
  const { paddingLeft, paddingRight, borderLeftWidth, borderRightWidth } = getComputedStyle(element)
  const around = [paddingLeft, paddingRight, borderLeftWidth, borderRightWidth]
  const taken = around.reduce((sum, side) => sum + Number.parseFloat(side), 0)
  return Math.max(element.getBoundingClientRect().width - taken, 0)
}

interface Draft {
  fields: Record<string, string>
  /** The form was open when the page was left. */
  isOpen: boolean
}

/**
 * An unsaved draft, by subject: it survives a reload, an update and a restart of the server. Stored per tab, as the difference to `before`.
 */
export function useDraft(about: string, before: Record<string, string>) {
  const [begun] = useState(() => read(about)?.fields ?? null)
  return {
    /** By field name; null if there is no draft. */
    begun,
    keep: ({ currentTarget }: FormEvent<HTMLFormElement>) => {
      const data = new FormData(currentTarget)
      const names = Object.keys(changedTexts(data, before))
      // as typed, with trailing spaces
      const fields = Object.fromEntries(names.map((name) => [name, String(data.get(name))]))
      write(about, names.length === 0 ? null : { fields, isOpen: true })
    },
    /** The form was closed without saving or discarding. */
    leave: () => {
      const draft = read(about)
      if (draft !== null) write(about, { ...draft, isOpen: false })
    },
    /** The draft was saved or discarded. */
    clear: () => write(about, null),
  }
}

/** Whether the form was open when the page was left. */
export function isBeingWritten(about: string): boolean {
  return read(about)?.isOpen === true
}

/** Fallback if storage is disabled or full: lasts as long as the page. */
const unkept = new Map<string, Draft>()

function read(about: string): Draft | null {
  const last = unkept.get(about)
  if (last !== undefined) return last
  try {
    return JSON.parse(sessionStorage.getItem(nameOf(about)) ?? 'null')
  } catch {
    return null
  }
}

function write(about: string, draft: Draft | null): void {
  unkept.delete(about)
  try {
    if (draft === null) sessionStorage.removeItem(nameOf(about))
    else sessionStorage.setItem(nameOf(about), JSON.stringify(draft))
  } catch {
    if (draft !== null) unkept.set(about, draft)
  }
}

function nameOf(about: string): string {
  return `gemini-dash-draft ${about}`
}
