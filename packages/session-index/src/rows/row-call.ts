import { pathArguments, type ToolCall } from 'gemini-sessions'

/** A call of a tool, as far as filters ask for it. */
export interface RowCall {
  tool: string
  status: string
  /** What it touched, `/` on every system, each once. */
  paths: string[]
}

export function rowCall({ name, status, args, output, display }: ToolCall): RowCall {
  const paths = pathArguments(args).filter((path) => path.length <= MAX_PATH_LENGTH)
  for (const shown of [output, display]) {
    if (shown?.kind === 'diff') paths.push(shown.filePath ?? shown.fileName)
  }
  const normalised = paths.filter((path) => path !== '').map((path) => path.replaceAll('\\', '/'))
  return { tool: name, status, paths: [...new Set(normalised)].slice(0, MAX_PATHS) }
}

/** A call that names more is a listing, not work on files. */
const MAX_PATHS = 100
const MAX_PATH_LENGTH = 1024
