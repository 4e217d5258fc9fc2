import type { CodeLine } from '../../../../content/highlight/code-token.ts'
import type { HighlightAnswer, HighlightQuestion } from '../../../../content/highlight/highlight-thread.ts'

/** Where the page's worker lies, seen from the paper's program; the build says so. */
declare const __PAGE_HIGHLIGHTER__: string

type Hear = (event: { data: HighlightQuestion }) => void

const waiting = new Map<number, (lines: CodeLine[] | null) => void>()
let loaded: Promise<Hear> | undefined
let lastId = 0

/** Colours code by the page's own worker, which is loaded into this thread and given what it asks of one. */
export async function highlightBeside(code: string, language: string): Promise<CodeLine[] | null> {
  loaded ??= loadHighlighter()
  const hear = await loaded.catch(() => null)
  if (hear === null) return null
  lastId += 1
  const id = lastId
  return new Promise((resolve) => {
    waiting.set(id, resolve)
    hear({ data: { id, code, language } })
  })
}

async function loadHighlighter(): Promise<Hear> {
  let heard: Hear | undefined
  const scope = {
    addEventListener: (_: string, hear: Hear) => {
      heard = hear
    },
    postMessage: ({ id, lines }: HighlightAnswer) => {
      waiting.get(id)?.(lines)
      waiting.delete(id)
    },
  }
  Object.defineProperty(globalThis, 'self', { value: scope, configurable: true })
  await import(/* @vite-ignore */ new URL(__PAGE_HIGHLIGHTER__, import.meta.url).href)
  if (heard === undefined) throw new Error('The highlighter did not listen.')
  return heard
}
