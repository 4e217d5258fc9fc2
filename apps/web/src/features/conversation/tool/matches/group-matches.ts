import type { ToolOutput } from 'gemini-sessions'

type Match = Extract<ToolOutput, { kind: 'search' }>['matches'][number]

export interface MatchGroup {
  filePath: string
  lines: (Match & { key: string })[]
  /** Lines that match; the others stand around them. */
  matchCount: number
}

/** Matches by file, files and lines in the order in which they were found. */
export function groupMatches(matches: readonly Match[]): MatchGroup[] {
  const groups = new Map<string, MatchGroup>()
  for (const [index, match] of matches.entries()) {
    const group = groups.get(match.filePath) ?? { filePath: match.filePath, lines: [], matchCount: 0 }
    group.lines.push({ ...match, key: `${match.lineNumber ?? ''}:${index}` })
    if (!match.isContext) group.matchCount += 1
    groups.set(match.filePath, group)
  }
  return [...groups.values()]
}
