import { oneLine } from '../messages/one-line.ts'

/** The first sentence is looked for here; an answer can have megabytes. */
const MAX_LOOKED_AT = 4_000
const MAX_LENGTH = 120
/** "Done." says nothing of what was done, so that the sentence after it is told as well. */
const MIN_TELLING_LENGTH = 9

/** The first sentence of an answer in Markdown, without marks; '' where it holds no prose. Code and tables are none. */
export function firstSentence(markdown: string): string {
  const lines = markdown
    .slice(0, MAX_LOOKED_AT)
    .replace(/```[\s\S]*?(?:```|$)/g, '\n')
    .split('\n')
    .filter((line) => /[\p{L}\p{N}]/u.test(line) && !/^\s*\|/.test(line))
  const line = lines.find((each) => !/^\s*#/.test(each)) ?? lines[0]
  if (line === undefined) return ''
  const [first = '', second = ''] = sentencesOf(withoutMarks(line))
  return oneLine(first.trim().length < MIN_TELLING_LENGTH ? first + second : first, MAX_LENGTH)
}

let segmenter: Intl.Segmenter | null = null

function sentencesOf(line: string): string[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'sentence' })
  const sentences: string[] = []
  for (const { segment } of segmenter.segment(line)) {
    sentences.push(segment)
    if (sentences.length === 2) break
  }
  return sentences
}

/** Heads, list marks, emphasis, code and links are what they say. */
function withoutMarks(line: string): string {
  return line
    .replace(/^\s*(?:#{1,6}|[-*+>]|\d{1,3}[.)])\s+/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*\*|__|`+/g, '')
    .replace(/(^|\s)[*_](\S(?:.*?\S)?)[*_](?=\W|$)/g, '$1$2')
}
