import { type FormEvent, useState } from 'react'

interface Draft {
  fields: Record<string, string>
  /** The form was open when the page went. */
  isOpen: boolean
}

/**
 * What somebody began to write and has not kept yet, by what it is about: a reload, a new version or a restart of the server
 * loses nothing of it. Kept by the tab.
 */
export function useDraft(about: string) {
  const [begun] = useState(() => read(about)?.fields ?? null)
  return {
    /** By the names of fields; null: nothing was begun. */
    begun,
    keep: ({ currentTarget }: FormEvent<HTMLFormElement>) =>
      write(about, { fields: textsOf(new FormData(currentTarget)), isOpen: true }),
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

function textsOf(data: FormData): Record<string, string> {
  return Object.fromEntries(
    [...data].flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : [])),
  )
}

/** Of a browser that keeps nothing: they last as long as the page. */
const unkept = new Map<string, Draft>()

function read(about: string): Draft | null {
  try {
    return JSON.parse(sessionStorage.getItem(nameOf(about)) ?? 'null')
  } catch {
    return unkept.get(about) ?? null
  }
}

function write(about: string, draft: Draft | null): void {
  try {
    if (draft === null) sessionStorage.removeItem(nameOf(about))
    else sessionStorage.setItem(nameOf(about), JSON.stringify(draft))
  } catch {
    if (draft === null) unkept.delete(about)
    else unkept.set(about, draft)
  }
}

function nameOf(about: string): string {
  return `gemini-dash-draft ${about}`
}
