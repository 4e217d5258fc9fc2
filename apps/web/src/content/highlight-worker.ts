import type { HighlightAnswer, HighlightQuestion } from './highlight.ts'
import { highlightCode } from './highlight-code.ts'

// A thread of its own: to compile a grammar takes a fifth of a second, in which the page would stand still.
self.addEventListener('message', async ({ data }: MessageEvent<HighlightQuestion>) => {
  const { id, code, language } = data
  const answer: HighlightAnswer = { id, lines: await highlightCode(code, language).catch(() => null) }
  self.postMessage(answer)
})
