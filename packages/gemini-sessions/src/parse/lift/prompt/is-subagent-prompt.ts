const OPENINGS = [
  'Your task is to do a deep investigation of the codebase',
  'Your task is to answer the following question about Gemini CLI',
]

/** The text opens a run of a built-in sub-agent (0.9+): the CLI wrote it, nobody typed it. */
export function isSubagentPrompt(text: string): boolean {
  return OPENINGS.some((opening) => text.trimStart().startsWith(opening))
}
