import { type FormEvent, useState } from 'react'
import { changedTexts } from '../browser/changed-texts.ts'

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
