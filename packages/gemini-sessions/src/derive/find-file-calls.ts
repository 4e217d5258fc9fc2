import type { Message, ToolCall, ToolOutput } from '../model/message.ts'
import { foldPath } from './path-spellings.ts'

type Diff = Extract<ToolOutput, { kind: 'diff' }>

/** What a call did to a path. `searched`: searched or listed; `named`: passed to an unknown tool. */
type FileAction = 'read' | 'searched' | 'wrote' | 'edited' | 'named'

/** A path in a call. */
export interface FileTouch {
  path: string
  action: FileAction
  /** It did not fail, was not declined, and has a result. */
  isDone: boolean
  /** What an edit changed, as recorded or rebuilt from its arguments, even if it was not carried out; null for other calls. */
  diff: Diff | null
}

/**
 * The paths in a call of a message. Copies of messages made no call. Shell commands are ignored: what they touch would be a guess.
 *
 * @param root of the project, base of relative paths; null if unknown
 */
export function findFileCalls(
  { copyOf }: Pick<Message, 'copyOf'>,
  call: ToolCall,
  root: string | null,
): FileTouch[] {
  if (copyOf !== null) return []
  const diff = diffOf(call)
  const action = actionOf(call, diff)
  const isDone = !call.failed && call.status !== 'cancelled' && call.status !== 'unanswered'
  return [...pathsOf(call, diff, action, root)].map((path) => ({
    path,
    action,
    isDone,
    diff: isChange({ action }) ? diff : null,
  }))
}

/** It wrote or edited the file. */
export function isChange({ action }: Pick<FileTouch, 'action'>): boolean {
  return action === 'wrote' || action === 'edited'
}

const ACTIONS: Readonly<Record<string, FileAction>> = {
  read_file: 'read',
  read_many_files: 'read',
  list_directory: 'searched',
  glob: 'searched',
  grep_search: 'searched',
  search_file_content: 'searched',
  write_file: 'wrote',
  replace: 'edited',
  view_file: 'read',
  list_dir: 'searched',
  write_to_file: 'wrote',
  replace_file_content: 'edited',
  multi_replace_file_content: 'edited',
}

/** Tools of the CLI whose arguments with these names are not paths, or not paths it worked on. */
const NO_FILE_TOOLS = new Set([
  'run_shell_command',
  'run_command',
  'web_fetch',
  'invoke_agent',
  'delegate_to_agent',
])
/** Arguments of the CLIs' own tools, in any version, that are a file or a folder. */
const PATH_ARGUMENT =
  /^(?:(?:absolute|file|dir)_path|filePath|directory|dir|path|paths|file_paths|include|(?:Absolute|Search|Directory)Path|TargetFile)$/
/** A call with more paths is a listing, not work on files. */
const MAX_PATHS = 100
const MAX_PATH_LENGTH = 1024

function pathsOf(call: ToolCall, diff: Diff | null, action: FileAction, root: string | null): Set<string> {
  const named = namedPaths(call, diff).filter((path) => path.trim() !== '' && path.length <= MAX_PATH_LENGTH)
  const paths = new Set(named.slice(0, MAX_PATHS).map((path) => resolveTouchedPath(path, root)))
  // A search without a folder searches the whole project.
  if (paths.size === 0 && action === 'searched' && root !== null) paths.add(resolveTouchedPath(root, null))
  return paths
}

function actionOf({ name }: ToolCall, diff: Diff | null): FileAction {
  const known = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
  return known ?? (diff === null ? 'named' : 'edited')
}

function namedPaths(call: ToolCall, diff: Diff | null): string[] {
  if (NO_FILE_TOOLS.has(call.name)) return []
  // The file of a diff is the full path, which the arguments may abbreviate.
  if (diff !== null && diff.filePath !== null) return [diff.filePath]
  if (call.name === 'read_many_files' && call.display?.kind === 'list') return call.display.files
  const inArguments = pathArguments(call.args)
  return call.name === 'read_many_files' ? inArguments.filter((path) => !/[*?{]/.test(path)) : inArguments
}

/** The values of a call's arguments that are files or folders, as given. */
export function pathArguments(args: unknown): string[] {
  if (typeof args !== 'object' || args === null) return []
  return Object.entries(args)
    .filter(([name]) => PATH_ARGUMENT.test(name))
    .flatMap(([, value]: [string, unknown]) => (Array.isArray(value) ? value.slice(0, MAX_PATHS) : [value]))
    .filter((value) => typeof value === 'string')
}

function diffOf({ display, output }: ToolCall): Diff | null {
  if (display?.kind === 'diff') return display
  return output.kind === 'diff' ? output : null
}

/** Rebuilt from the arguments of a `replace`, which contain a piece of the file unless they created it. */
export function isPiece({ isRebuilt, isNewFile, originalContent }: Diff): boolean {
  return isRebuilt && !isNewFile && originalContent !== null
}

/**
 * The canonical name of a path given to a tool: absolute if the root is known, `/` on every system, without quotes, `.` and `..`. `~` is
 * the home folder that contains the root.
 */
export function resolveTouchedPath(written: string, root: string | null): string {
  const slashed = withoutDress(written).replaceAll('\\', '/')
  const base = root?.replaceAll('\\', '/') ?? null
  const home = base === null ? null : (HOME_FOLDER.exec(base)?.[0] ?? null)
  const atHome = home !== null && /^~(?:\/|$)/.test(slashed) ? home + slashed.slice(1) : slashed
  const isPlaced = isAbsolute(atHome) || atHome.startsWith('~')
  return tidy(base === null || isPlaced ? atHome : `${base}/${atHome}`)
}

/** The name of a file relative to the root if it is inside, `.` for the root itself. */
export function touchedPathName(path: string, root: string | null): string {
  if (root === null) return path
  const base = resolveTouchedPath(root, null)
  const [key, baseKey] = [foldPath(path), foldPath(base)]
  if (key === baseKey) return '.'
  if (!key.startsWith(`${baseKey.replace(/\/$/, '')}/`)) return path
  // By path segments, not by length: on macOS one of the two may have decomposed accents.
  return path.split('/').slice(base.replace(/\/$/, '').split('/').length).join('/')
}

const WINDOWS = /^(?:[A-Za-z]:\/|\/\/)/
const HOME_FOLDER = /^(?:[A-Za-z]:)?\/(?:home|Users|users)\/[^/]+|^\/root(?=\/|$)/

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || WINDOWS.test(path)
}

/** Models put paths in quotes, and write `@path` like users. */
function withoutDress(written: string): string {
  const trimmed = written.trim()
  const bare = /^(["'`])(.*)\1$/s.exec(trimmed)?.[2] ?? trimmed
  return bare.replace(/^file:\/\/(?=\/)/, '').replace(/^@(?=[\w./~\\])/, '')
}

function tidy(path: string): string {
  const lead = /^(?:[A-Za-z]:\/?|\/\/?|)/.exec(path)?.[0] ?? ''
  const names: string[] = []
  for (const name of path.slice(lead.length).split('/')) {
    if (name === '' || name === '.') continue
    if (name === '..' && names.length > 0 && names.at(-1) !== '..') names.pop()
    else if (name !== '..' || lead === '') names.push(name)
  }
  return (
    `${lead.charAt(1) === ':' ? lead.charAt(0).toUpperCase() + lead.slice(1) : lead}${names.join('/')}` || '.'
  )
}
