import { findFileCalls, type Message, type Session, type ToolCall, TouchedFileList } from 'gemini-sessions'
import { readRemotes, remoteNames } from './git-remotes.ts'

/** What sessions tell of the folder that they worked in. */
export interface ProjectTraces {
  /** null: it is not known. */
  path: string | null
  /** Files in it that calls named, relative to it. */
  files: string[]
  /** Git remotes that stand in what git printed, or in the folder if it is still there: `github.com/me/shop`. */
  remotes: ReadonlySet<string>
}

/** So many files are enough to tell one folder from another. */
const MOST_FILES = 200
const MOST_TEXT = 256 * 1024

export function traceProject(path: string | null, sessions: readonly Session[]): ProjectTraces {
  const list = new TouchedFileList(path)
  const remotes = new Set(path === null ? [] : readRemotes(path))
  for (const session of sessions) {
    for (const [offset, message] of session.messages.entries()) {
      const place = { sessionKey: session.key, offset, root: path, isAgent: session.kind === 'subagent' }
      for (const touch of findFileCalls(message, place)) list.add(touch)
      for (const remote of namedRemotes(message)) remotes.add(remote)
    }
  }
  const names = list.files().flatMap(({ name, failed, reads, writes, edits }) => {
    const isThere = reads + writes + edits > 0 && failed < reads + writes + edits
    return isThere && isInside(name) ? [name] : []
  })
  return { path, files: names.slice(0, MOST_FILES), remotes }
}

/** Not one that leads out of the folder. */
function isInside(name: string): boolean {
  return (
    !/^(?:[/\\~]|[A-Za-z]:)/.test(name) && !name.split(/[/\\]/).some((part) => part === '..' || part === '.')
  )
}

function namedRemotes({ toolCalls }: Message): string[] {
  return toolCalls
    .filter(isGit)
    .flatMap(({ output }) => remoteNames(JSON.stringify(output).slice(0, MOST_TEXT)))
}

function isGit({ name, args }: ToolCall): boolean {
  return name === 'run_shell_command' && /\bgit\b/.test(JSON.stringify(args) ?? '')
}
