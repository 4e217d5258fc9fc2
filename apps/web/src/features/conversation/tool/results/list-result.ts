export interface ListedFiles {
  /** Folder that all of them lie in, as far as the tool told; ''. */
  root: string
  /** Folders end in `/`. */
  paths: string[]
  /** What was left out, in the tool's words; '' for nothing. */
  note: string
}

const FOLDER_HEAD = /^Directory listing for ([^\n]*):\r?\n/
const FOUND_HEAD =
  /^Found \d+ file\(s\) matching [^\n]*?(?: within ([^\n]*?))?(?: \((\d+ additional files were [^)]*)\))?, sorted by [^\n]*:\r?\n/
const DOCS_HEAD = /^Available [^\n]*documentation files:\s*\n/
const EMPTY = /^(?:No files found|Directory [^\n]* is empty)/

/** Files that a tool listed or found, from the text that the model got. null for other texts. */
export function listResult(text: string): ListedFiles | null {
  if (EMPTY.test(text)) return { root: '', paths: [], note: /\(([^)]* ignored[^)]*)\)/.exec(text)?.[1] ?? '' }
  const folder = FOLDER_HEAD.exec(text)
  if (folder !== null) return folderList(folder[1] ?? '', text.slice(folder[0].length))
  const found = FOUND_HEAD.exec(text)
  if (found !== null)
    return { root: found[1] ?? '', paths: lines(text.slice(found[0].length)), note: found[2] ?? '' }
  const docs = DOCS_HEAD.exec(text)
  if (docs === null) return null
  return {
    root: '',
    paths: lines(text.slice(docs[0].length)).map((line) => line.replace(/^- /, '')),
    note: '',
  }
}

/** `[DIR] pages` as `pages/`. */
export function folderMark(entry: string): string {
  return entry.startsWith('[DIR] ') ? `${entry.slice('[DIR] '.length)}/` : entry
}

/** Entries, since 0.31 with their sizes; behind a blank line what was ignored and (0.35+) context of the folder. */
function folderList(root: string, text: string): ListedFiles {
  const [entries = '', ...rest] = text.split('\n\n')
  const paths = lines(entries).map((line) => folderMark(line.replace(/ \(\d+ bytes\)$/, '')))
  return { root, paths, note: /^\((\d+ [^)]*ignored[^)]*)\)/.exec(rest[0] ?? '')?.[1] ?? '' }
}

function lines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
}
