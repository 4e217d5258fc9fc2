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

/** As far as it is used here; what a policy returns is handed on as it is, wherever a string was. */
interface TrustedTypes {
  createPolicy(name: string, rules: Rules): Rules
}

interface Rules {
  createScriptURL(url: string): string
}

declare global {
  interface Window {
    /** Only in browsers that know Trusted Types. */
    trustedTypes?: TrustedTypes
  }
}

let policy: Rules | undefined

/** The address of a script of ours, as a worker may be started with it: by the one policy that the content policy names. */
function ownScriptUrl(url: string): string {
  policy ??= window.trustedTypes?.createPolicy('gemini-dash', { createScriptURL: onlyOurs })
  return policy?.createScriptURL(url) ?? url
}

function onlyOurs(url: string): string {
  if (new URL(url, location.href).origin === location.origin) return url
  throw new TypeError(`Not a script of this server: ${url}`)
}
