import type { HighlightAnswer, HighlightQuestion } from './highlight.ts'
import { highlightCode } from './highlight-code.ts'

// A worker, as compiling a grammar takes 0.2 s, which would block the page.
self.addEventListener('message', async ({ data }: MessageEvent<HighlightQuestion>) => {
  const { id, code, language } = data
  const answer: HighlightAnswer = { id, lines: await highlightCode(code, language).catch(() => null) }
  self.postMessage(answer)
})
