import type { ToolOutput } from 'gemini-sessions'

type Match = Extract<ToolOutput, { kind: 'search' }>['matches'][number]

export interface MatchGroup {
  filePath: string
  lines: (Match & { key: string })[]
}

/** Matches by file, files and lines in the order in which they were found. */
export function groupMatches(matches: readonly Match[]): MatchGroup[] {
  const groups = new Map<string, MatchGroup>()
  for (const [index, match] of matches.entries()) {
    const group = groups.get(match.filePath) ?? { filePath: match.filePath, lines: [] }
    group.lines.push({ ...match, key: `${match.lineNumber ?? ''}:${index}` })
    groups.set(match.filePath, group)
  }
  return [...groups.values()]
}
