import type { Session } from '../../model/session.ts'
import type { ToolCall } from '../../model/tool-call.ts'
import { textFingerprint } from '../../parse/large-texts/text-fingerprint.ts'
import { resolveTouchedPath } from '../files-touched/resolve-touched-path.ts'
import { canonicalJson } from '../messages/canonical-json.ts'
import { findProjectPath } from '../path-clues/find-project-path.ts'
import { foldPath } from '../path-clues/path-spellings.ts'

const FILE = ['file_path', 'absolute_path']
const FOLDER = ['dir_path', 'path', 'directory']

interface SubjectArguments {
  /** Tools of one kind do the same to a file, so one of them can succeed where another failed. */
  kind: string
  /** The first of these that is given names the file. */
  file?: readonly string[]
  /** The same of a folder; where none is given, it is the project's own. */
  folder?: readonly string[]
  /** The first of these that is given is the command or query. */
  text?: readonly string[]
}

const SEARCH: SubjectArguments = { kind: 'search', folder: FOLDER, text: ['pattern'] }
const EDIT: SubjectArguments = { kind: 'edit', file: FILE }

/** What the tools of Gemini CLI work on. Two calls of any other tool are the same only with all their arguments. */
const SUBJECTS: Readonly<Record<string, SubjectArguments>> = {
  run_shell_command: { kind: 'command', folder: ['dir_path', 'directory'], text: ['command'] },
  read_file: { kind: 'read', file: FILE },
  write_file: EDIT,
  replace: EDIT,
  list_directory: { kind: 'list', folder: FOLDER },
  glob: { kind: 'glob', folder: FOLDER, text: ['pattern'] },
  grep_search: SEARCH,
  search_file_content: SEARCH,
  google_web_search: { kind: 'web search', text: ['query'] },
  web_fetch: { kind: 'web fetch', text: ['prompt', 'url'] },
  // there is one list: a call that was not accepted is put right by the next one that is
  write_todos: { kind: 'todos' },
}

/** A command that the shell ran. */
export function isCommand({ name }: Pick<ToolCall, 'name'>): boolean {
  return name === 'run_shell_command'
}

/** A longer one is not worth its memory. */
const LONG_CHARS = 512

/** Equal for two calls that do the same: one command line in one folder, one tool on one file or query. */
export function runSubject(call: Pick<ToolCall, 'name' | 'args'>, root: string | null): string {
  const subject = JSON.stringify(subjectOf(call, root) ?? [call.name, canonicalJson(call.args)])
  return subject.length > LONG_CHARS ? textFingerprint(subject) : subject
}

function subjectOf({ name, args }: Pick<ToolCall, 'name' | 'args'>, root: string | null): string[] | null {
  const known = Object.hasOwn(SUBJECTS, name) ? SUBJECTS[name] : undefined
  if (known === undefined) return null
  const { kind, file, folder, text } = known
  const subject = [kind]
  for (const [names, fallback] of [
    [file, undefined],
    [folder, '.'],
  ] as const) {
    if (names === undefined) continue
    const path = textArgument(args, names) ?? fallback
    if (path === undefined) return null
    subject.push(foldPath(resolveTouchedPath(path, root)))
  }
  if (text !== undefined) {
    const said = textArgument(args, text)
    if (said === undefined) return null
    // as Gemini CLI hands it to the shell
    subject.push(said.trim())
  }
  return subject
}

function textArgument(args: unknown, names: readonly string[]): string | undefined {
  if (typeof args !== 'object' || args === null) return undefined
  const given = names.map((name): unknown => Reflect.get(args, name))
  return given.find((value): value is string => typeof value === 'string' && value.trim() !== '')
}

/** Enough to find a root that is named at all, and few enough to be hashed at once. */
const MOST_PATHS = 50

/**
 * The folder to which the relative paths of calls are relative: proven by the `projectHash`, else the first of the
 * workspace; null where neither is recorded.
 */
export function rootOfCalls({ messages, projectHash, directories }: RootClues): string | null {
  const proven = projectHash === null ? null : findProjectPath(projectHash, JSON.stringify(pathsIn(messages)))
  return proven ?? directories[0] ?? null
}

type RootClues = Pick<Session, 'messages' | 'projectHash' | 'directories'>

function pathsIn(messages: Session['messages']): string[] {
  const paths = new Set<string>()
  for (const { toolCalls } of messages) {
    for (const { args } of toolCalls) {
      for (const names of [FILE, FOLDER]) {
        const path = textArgument(args, names)
        if (path !== undefined && isAbsolutePath(path)) paths.add(path)
        if (paths.size === MOST_PATHS) return [...paths]
      }
    }
  }
  return [...paths]
}

function isAbsolutePath(path: string): boolean {
  return /^(?:\/|[A-Za-z]:[\\/])/.test(path)
}
