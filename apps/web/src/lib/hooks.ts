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

/** What keys go on from: whoever changes what is shown writes it here as well, so that a key before the next drawing goes on from there. */
export function useLatest<Shown>(shown: Shown): RefObject<Shown> {
  const latest = useRef(shown)
  useLayoutEffect(() => {
    latest.current = shown
  }, [shown])
  return latest
}

/** null: drawn on paper, which is as wide as it is. */
const narrow = globalThis.matchMedia?.('(max-width: 47.5em)') ?? null

/** One column: phones, and windows as narrow as one. The same bound as in the style sheets, which grows with the reader’s text. */
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

/** Measured width of the element that gets `ref`, in CSS px: known before what depends on it is painted, and kept up. */
export function useElementWidth(): {
  ref: (element: HTMLElement | null) => (() => void) | undefined
  width: number
} {
  const [width, setWidth] = useState(0)
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined
    // the observer tells only after a frame was drawn without it, and what was drawn there would jump
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
  /** The form was open when the page went. */
  isOpen: boolean
}

/**
 * What somebody began to write and has not kept yet, by what it is about: a reload, a new version or a restart of the server
 * loses nothing of it. Kept by the tab, without what stands `before` it.
 */
export function useDraft(about: string, before: Record<string, string>) {
  const [begun] = useState(() => read(about)?.fields ?? null)
  return {
    /** By the names of fields; null: nothing was begun. */
    begun,
    keep: ({ currentTarget }: FormEvent<HTMLFormElement>) => {
      const data = new FormData(currentTarget)
      const names = Object.keys(changedTexts(data, before))
      // as it is typed, with the blanks at its end
      const fields = Object.fromEntries(names.map((name) => [name, String(data.get(name))]))
      write(about, names.length === 0 ? null : { fields, isOpen: true })
    },
    /** The form was closed with no word on what is in it. */
    leave: () => {
      const draft = read(about)
      if (draft !== null) write(about, { ...draft, isOpen: false })
    },
    /** It is kept, or not wanted any more. */
    clear: () => write(about, null),
  }
}

/** Whether somebody was writing it when the page went. */
export function isBeingWritten(about: string): boolean {
  return read(about)?.isOpen === true
}

/** Of a browser that keeps nothing, or has no room left: they last as long as the page. */
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
