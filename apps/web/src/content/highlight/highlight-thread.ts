import { ownScriptUrl } from '../../lib/browser/own-script-url.ts'
import type { CodeLine } from './code-token.ts'
import workerUrl from './highlight-worker.ts?worker&url'

export interface HighlightQuestion {
  id: number
  code: string
  language: string
}

export interface HighlightAnswer {
  id: number
  /** null: no grammar, or one that chokes on the text. */
  lines: CodeLine[] | null
}

type Settle = (lines: CodeLine[] | null) => void

const waiting = new Map<number, Settle>()
let worker: Worker | null = null
let lastId = 0

/** Colours code beside the page; null where that is not possible. */
export function highlightBeside(code: string, language: string): Promise<CodeLine[] | null> {
  lastId += 1
  const question: HighlightQuestion = { id: lastId, code, language }
  return new Promise((resolve) => {
    waiting.set(question.id, resolve)
    startedWorker().postMessage(question)
  })
}

function startedWorker(): Worker {
  if (worker !== null) return worker
  const started = new Worker(ownScriptUrl(workerUrl), { type: 'module' })
  started.addEventListener('message', ({ data }: MessageEvent<HighlightAnswer>) => {
    waiting.get(data.id)?.(data.lines)
    waiting.delete(data.id)
  })
  // It could not be loaded: the text stays plain, and the next one tries again.
  started.addEventListener('error', () => {
    worker = null
    for (const settle of waiting.values()) settle(null)
    waiting.clear()
  })
  worker = started
  return started
}
