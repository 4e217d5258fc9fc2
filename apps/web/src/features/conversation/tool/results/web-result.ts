import { unwrapUntrusted } from './unwrap-untrusted.ts'

export interface WebSource {
  number: number
  title: string
  /** null where none was recorded (`No URI`). */
  url: string | null
}

export interface WebResult {
  /** Markdown; `[1]` leads to a source of that number. */
  text: string
  sources: WebSource[]
}

const SEARCH_HEAD = /^Web search results for "[\s\S]*?":\n\n/
const SOURCES_HEAD = '\nSources:\n'

/** What a search or a page brought: its text, and the sources that stand below it since the first versions. */
export function webResult(output: string): WebResult {
  const text = unwrapUntrusted(output).replace(SEARCH_HEAD, '')
  const start = text.lastIndexOf(SOURCES_HEAD)
  const sources = start === -1 ? [] : readSources(text.slice(start + SOURCES_HEAD.length))
  return sources.length === 0 ? { text, sources } : { text: text.slice(0, start).trimEnd(), sources }
}

/** `[1] title (address)`. Anything else below the head means that it is no list of sources. */
function readSources(text: string): WebSource[] {
  const sources: WebSource[] = []
  for (const line of text.trim().split('\n')) {
    const found = /^\[(\d+)\] (.*) \(([^()\s]*(?:\([^()\s]*\)[^()\s]*)*|No URI)\)$/.exec(line.trimEnd())
    if (found === null) return []
    const [, number, title = '', url = ''] = found
    sources.push({ number: Number(number), title, url: url === 'No URI' ? null : url })
  }
  return sources
}

/** Addresses that a `web_fetch` was asked for, in its `url` or inside its prompt. */
export function askedAddresses(text: string): string[] {
  const found = text.match(/https?:\/\/[^\s"'<>`]+/g) ?? []
  return [...new Set(found.map((url) => url.replace(/[).,;:!?\]]+$/, '')))]
}
