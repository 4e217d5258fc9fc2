import { use } from 'react'
import type { CodeLine } from '../../../../content/highlight/code-token.ts'
import { highlightBeside } from '../../../../content/highlight/highlight-thread.ts'
import { languageName } from '../../../../content/highlight/language-name.ts'

const MAX_LENGTH = 200_000
/** So many are remembered: React asks again for what it waited for. */
const MAX_CACHED = 200
const cache = new Map<string, Promise<CodeLine[]>>()

/** Lines of `code` in their colours, which are waited for. */
export function useHighlight(code: string, fence: string | null): CodeLine[] {
  const language = languageName(fence)
  if (language === null || code === '' || code.length > MAX_LENGTH) return plainLines(code)
  const key = `${language}\n${code}`
  const coloured = cache.get(key) ?? colour(code, language)
  if (!cache.has(key)) {
    const oldest = cache.keys().next()
    if (cache.size >= MAX_CACHED && !oldest.done) cache.delete(oldest.value)
    cache.set(key, coloured)
  }
  return use(coloured)
}

async function colour(code: string, language: string): Promise<CodeLine[]> {
  return (await highlightBeside(code, language)) ?? plainLines(code)
}

function plainLines(code: string): CodeLine[] {
  let start = 0
  return code.split('\n').map((text) => {
    const line = { start, tokens: [{ text, start, role: null }] }
    start += text.length + 1
    return line
  })
}
