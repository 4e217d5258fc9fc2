import { useContext, useEffect, useMemo, useState } from 'react'
import { HitContext } from '../text/hit-context.ts'
import type { CodeLine } from './code-token.ts'
import { highlightBeside } from './highlight-thread.ts'
import { languageName } from './language-name.ts'

/** Beyond this, colouring takes too long to be waited for; the text is shown plain. */
const MAX_LENGTH = 200_000
/** What was coloured stays, so that scrolling back shows no flash of grey. */
const MAX_CACHED = 200
const cache = new Map<string, CodeLine[]>()

/** Lines of `code`: plain at once, coloured when the grammar is there. */
export function useHighlight(code: string, fence: string | null): CodeLine[] {
  const language = languageName(fence)
  const isMarked = useContext(HitContext).length > 0
  const key = `${language}\n${code}`
  const plain = useMemo(() => plainLines(code), [code])
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
