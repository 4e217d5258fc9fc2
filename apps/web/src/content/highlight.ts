import { use, useContext, useEffect, useMemo, useState } from 'react'
import type { CodeLine } from '../lib/code-line.ts'
import { usePaper } from '../lib/paper.ts'
import workerUrl from './highlight-worker.ts?worker&url'
import { HitContext } from './machine-text.tsx'

/** Aliases and file extensions, as used in fences by people and models. */
const ALIASES = new Map(
  Object.entries({
    'c++': 'cpp',
    cc: 'cpp',
    cjs: 'javascript',
    'c#': 'csharp',
    cs: 'csharp',
    cts: 'typescript',
    dockerfile: 'docker',
    ex: 'elixir',
    exs: 'elixir',
    golang: 'go',
    gql: 'graphql',
    h: 'c',
    hpp: 'cpp',
    hs: 'haskell',
    htm: 'html',
    js: 'javascript',
    json5: 'jsonc',
    jsonl: 'json',
    // The JavaScript grammar includes all rules of JSX.
    jsx: 'javascript',
    kt: 'kotlin',
    kts: 'kotlin',
    makefile: 'make',
    md: 'markdown',
    mjs: 'javascript',
    mts: 'typescript',
    patch: 'diff',
    pl: 'perl',
    ps1: 'powershell',
    py: 'python',
    rb: 'ruby',
    rs: 'rust',
    sass: 'scss',
    sh: 'bash',
    shell: 'bash',
    svg: 'xml',
    tex: 'latex',
    tf: 'hcl',
    ts: 'typescript',
    yml: 'yaml',
    zsh: 'bash',
  }),
)

/** The grammar's name for a fence's info string; null if it has none. */
export function languageName(fence: string | null): string | null {
  const name =
    fence
      ?.trim()
      .toLowerCase()
      .split(/[\s,{:]/, 1)[0] ?? ''
  if (name === '') return null
  return ALIASES.get(name) ?? name
}

/** The language by file name. */
export function languageOfPath(path: string): string | null {
  const name = path.split(/[\\/]/).at(-1)?.toLowerCase() ?? ''
  if (name === 'dockerfile' || name === 'makefile') return languageName(name)
  const ending = /\.([^.]+)$/.exec(name)?.[1]
  return ending === undefined ? null : languageName(ending)
}

export interface HighlightQuestion {
  id: number
  code: string
  language: string
}

export interface HighlightAnswer {
  id: number
  /** null: no grammar, or the grammar failed on the text. */
  lines: CodeLine[] | null
}

type Settle = (lines: CodeLine[] | null) => void

const waiting = new Map<number, Settle>()
let worker: Worker | null = null
let lastId = 0

/** Highlights code in the worker; null if that is not possible. */
function highlightBeside(code: string, language: string): Promise<CodeLine[] | null> {
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
  // The worker failed to load: the text stays plain, and the next one retries.
  started.addEventListener('error', () => {
    worker = null
    for (const settle of waiting.values()) settle(null)
    waiting.clear()
  })
  worker = started
  return started
}

/** The part used here; a policy's result is passed on unchanged in place of a string. */
interface TrustedTypes {
  createPolicy(name: string, rules: Rules): Rules
}

interface Rules {
  createScriptURL(url: string): string
}

declare global {
  interface Window {
    /** Only in browsers that support Trusted Types. */
    trustedTypes?: TrustedTypes
  }
}

let policy: Rules | undefined

/** The URL of our worker script, created by the only Trusted Types policy that the CSP allows. */
function ownScriptUrl(url: string): string {
  policy ??= window.trustedTypes?.createPolicy('gemini-dash', { createScriptURL: onlyOurs })
  return policy?.createScriptURL(url) ?? url
}

function onlyOurs(url: string): string {
  if (new URL(url, location.href).origin === location.origin) return url
  throw new TypeError(`Not a script of this server: ${url}`)
}

/** Highlighting longer texts takes too long; they are shown as plain text. */
const MAX_LENGTH = 200_000
/** Cached, so that scrolling back does not flash plain text. */
const MAX_CACHED = 200
const cache = new Map<string, CodeLine[]>()

/** Lines of `code`: plain at first, highlighted once the grammar is loaded. */
export function useHighlight(code: string, fence: string | null): CodeLine[] {
  const language = languageName(fence)
  const isMarked = useContext(HitContext).length > 0
  const key = `${language}\n${code}`
  const plain = useMemo(() => plainLines(code), [code])
  const paper = usePaper()
  const [coloured, setColoured] = useState<{ key: string; lines: CodeLine[] } | null>(null)

  useEffect(() => {
    if (language === null || isMarked || code.length > MAX_LENGTH || cache.has(key)) return
    let isCurrent = true
    void colour(code, language, key).then((lines) => {
      if (isCurrent && lines !== null) setColoured({ key, lines })
    })
    return () => {
      isCurrent = false
    }
  }, [code, language, isMarked, key])

  if (isMarked) return plain
  // suspends: a document does not change after it is written
  if (paper !== null)
    return language === null || code === '' || code.length > MAX_LENGTH
      ? plain
      : (use(paper.highlight(code, language)) ?? plain)
  return cache.get(key) ?? (coloured?.key === key ? coloured.lines : plain)
}

async function colour(code: string, language: string, key: string): Promise<CodeLine[] | null> {
  const lines = await highlightBeside(code, language)
  if (lines !== null) remember(key, lines)
  return lines
}

function remember(key: string, lines: CodeLine[]) {
  const oldest = cache.keys().next()
  if (cache.size >= MAX_CACHED && !oldest.done) cache.delete(oldest.value)
  cache.set(key, lines)
}

function plainLines(code: string): CodeLine[] {
  let start = 0
  return code.split('\n').map((text) => {
    const line = { start, tokens: [{ text, start, role: null }] }
    start += text.length + 1
    return line
  })
}
