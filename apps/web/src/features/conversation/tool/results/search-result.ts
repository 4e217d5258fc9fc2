import type { ToolOutput } from 'gemini-sessions'

type Search = Extract<ToolOutput, { kind: 'search' }>

/** `Found 22 matches for pattern "total" in path "src":`, with a filter or a limit in brackets. */
const HEAD = /^Found (\d+) match(?:es)? for pattern [\s\S]*?:\r?\n---\r?\n/
const NAMES_HEAD = /^Found \d+ files? with matches for pattern [^\n]*:\r?\n/
const HEAD_LENGTH = 4_000

/** What a search found, from the text that the model got: before 0.36 nothing else was stored. null for other texts. */
export function searchResult(text: string): Search | null {
  if (/^No matches found/.test(text)) return { kind: 'search', summary: '', matches: [] }
  const start = text.slice(0, HEAD_LENGTH)
  const names = NAMES_HEAD.exec(start)
  if (names !== null) return toSearch(names[0], text.slice(names[0].length).split('\n').map(nameOnly))
  const head = HEAD.exec(start)
  return head === null ? null : toSearch(head[0], readMatches(text.slice(head[0].length)))
}

/** How many matches the text tells of, also where not all of them came along. */
export function toldMatches(text: string): number | null {
  const told = HEAD.exec(text.slice(0, HEAD_LENGTH))?.[1]
  return told === undefined ? null : Number(told)
}

function toSearch(head: string, matches: Search['matches']): Search {
  const limit = /\((results limited to [^)]+)\)/.exec(head)?.[1] ?? ''
  return { kind: 'search', summary: limit, matches: matches.filter((match) => match.filePath !== '') }
}

function nameOnly(line: string): Search['matches'][number] {
  return { filePath: line.trimEnd(), lineNumber: null, line: '', isContext: false }
}

/** Blocks of `File: <path>` and lines `L8: text`, `L8- text` for context, between rules. */
function readMatches(text: string): Search['matches'] {
  const matches: Search['matches'] = []
  let filePath = ''
  for (const line of text.split('\n')) {
    if (line.startsWith('File: ')) {
      filePath = line.slice('File: '.length).trimEnd()
      continue
    }
    const found = /^L(\d+)([:-]) ?(.*)$/.exec(line)
    if (found === null || filePath === '') continue
    matches.push({
      filePath,
      lineNumber: Number(found[1]),
      line: found[3] ?? '',
      isContext: found[2] === '-',
    })
  }
  return matches
}
