import type { FileAction, FileCall } from '../../model/insights/touched-file.ts'
import type { Message } from '../../model/message.ts'
import type { ToolCall } from '../../model/tool-call.ts'
import type { ToolOutput } from '../../model/tool-output.ts'
import { resolveTouchedPath } from './resolve-touched-path.ts'

type Diff = Extract<ToolOutput, { kind: 'diff' }>

/** Where the message of a call stands, and what its relative paths are relative to. */
export interface TouchPlace {
  sessionKey: string
  offset: number
  /** The project's root; null where it is not known. */
  root: string | null
  isAgent: boolean
}

/** A call, a path that it named, and the diff where it changed that file. */
export interface FileTouch {
  path: string
  call: FileCall
  diff: Diff | null
}

/**
 * The paths that the calls of a message named. Copies of messages made no call. Shell commands are not looked into:
 * what they touch would be a guess.
 */
export function findFileCalls(message: Message, place: TouchPlace): FileTouch[] {
  if (message.copyOf !== null) return []
  return message.toolCalls.flatMap((call) => {
    const diff = diffOf(call)
    return pathsOf(call, diff, place.root).map(({ path, action }): FileTouch => {
      const isChange = action === 'wrote' || action === 'edited'
      return {
        path,
        diff: isChange ? diff : null,
        call: {
          sessionKey: place.sessionKey,
          messageKey: message.key,
          offset: place.offset,
          callId: call.id,
          tool: call.name,
          action,
          timestamp: call.timestamp ?? message.timestamp,
          outcome: outcomeOf(call),
          superseded: message.superseded,
          isAgent: place.isAgent || message.agentKey !== null,
          diff: isChange ? diff : null,
        },
      }
    })
  })
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
}

/** Tools of the CLI whose arguments of these names are no paths, or none that was worked on. */
const NO_FILE_TOOLS = new Set(['run_shell_command', 'web_fetch', 'invoke_agent', 'delegate_to_agent'])
/** Arguments of the CLI's own tools, of any version, that name a file or a folder. */
const PATH_ARGUMENT = /^(?:(?:absolute|file|dir)_path|filePath|directory|dir|path|paths|file_paths|include)$/
/** A call that names more is a listing, not work on files. */
const MAX_PATHS = 100
const MAX_PATH_LENGTH = 1024

function pathsOf(call: ToolCall, diff: Diff | null, root: string | null) {
  const named = namedPaths(call, diff).filter((path) => path.trim() !== '' && path.length <= MAX_PATH_LENGTH)
  const action = actionOf(call, diff)
  const paths = new Set(named.slice(0, MAX_PATHS).map((path) => resolveTouchedPath(path, root)))
  // A search without a folder looks through the whole project.
  if (paths.size === 0 && action === 'searched' && root !== null) paths.add(resolveTouchedPath(root, null))
  return [...paths].map((path) => ({ path, action }))
}

function actionOf({ name }: ToolCall, diff: Diff | null): FileAction {
  const known = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
  return known ?? (diff === null ? 'named' : 'edited')
}

function namedPaths(call: ToolCall, diff: Diff | null): string[] {
  if (NO_FILE_TOOLS.has(call.name)) return []
  // The file of a diff is the whole path of what the arguments may name in short.
  if (diff !== null && diff.filePath !== null) return [diff.filePath]
  if (call.name === 'read_many_files' && call.display?.kind === 'list') return call.display.files
  const inArguments = pathArguments(call.args)
  return call.name === 'read_many_files' ? inArguments.filter((path) => !/[*?{]/.test(path)) : inArguments
}

/** The values of a call's arguments that name files or folders, as they were given. */
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

function outcomeOf({ status, failed }: ToolCall): FileCall['outcome'] {
  if (status === 'cancelled') return 'declined'
  if (status === 'unanswered') return 'unanswered'
  return failed ? 'failed' : 'done'
}
