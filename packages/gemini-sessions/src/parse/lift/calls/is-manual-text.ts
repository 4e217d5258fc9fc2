import { isRawObject } from '../../../raw/raw-object.ts'

/** How the tools' own manuals open (0.9 to 0.61); they stand where a call's one-line description should be. */
const MANUAL_OPENINGS = [
  'Delegates a task to a specialized sub-agent',
  'Efficiently finds files matching specific glob patterns',
  'Fetches content from',
  'Lists the names of files and subdirectories directly within',
  'Performs a web search using Google Search',
  'Processes content from URL(s)',
  'Reads and returns the content of a specified file',
  'Reads content from multiple files',
  'Replaces text within a file',
  'Saves a specific piece of information or fact',
  'Searches for a regular expression pattern within',
  'The specialized tool for codebase analysis',
  'This tool can help you list out the current subtasks',
  'This tool executes a given shell command',
  'Writes content to a specified file',
]
const LONGEST_OWN_LINE = 300
/** Enough of an argument to recognise it in a description that quotes it. */
const QUOTED_LENGTH = 20

/** The description is the tool's manual (up to 0.34, and on failed calls later), not this call's own line. */
export function isManualText(description: string, args: unknown): boolean {
  const text = description.trim()
  if (MANUAL_OPENINGS.some((opening) => text.startsWith(opening))) return true
  if (text.length <= LONGEST_OWN_LINE && !text.includes('\n')) return false
  return !quotesArgument(text, args)
}

/** A shell call's own line (0.39+) is its command, which may be long and have many lines. */
function quotesArgument(text: string, args: unknown): boolean {
  if (!isRawObject(args)) return false
  return Object.values(args).some((value) => {
    const start = typeof value === 'string' ? value.trim().slice(0, QUOTED_LENGTH) : ''
    return start !== '' && text.includes(start)
  })
}
