import type { ToolOutput } from '../../../model/tool-output.ts'
import { isRawObject, type RawObject } from '../../../raw/raw-object.ts'
import { toTodos } from './to-todos.ts'

/** The diff or todo list that versions up to 0.24 drew but did not store, from the call's arguments. */
export function rebuildDisplay(name: unknown, args: unknown, outputText: string): ToolOutput | null {
  if (!isRawObject(args)) return null
  if (name === 'write_todos' && Array.isArray(args.todos))
    return { kind: 'todos', todos: toTodos(args.todos) }
  if (name === 'replace' && typeof args.old_string === 'string' && typeof args.new_string === 'string') {
    // An empty old_string creates the file.
    return toDiff(args, args.old_string, args.new_string, args.old_string === '')
  }
  if (name === 'write_file' && typeof args.content === 'string') {
    return toDiff(args, null, args.content, outputText.includes('to new file'))
  }
  return null
}

function toDiff(args: RawObject, before: string | null, after: string, isNewFile: boolean): ToolOutput {
  const path = [args.file_path, args.absolute_path].find((value) => typeof value === 'string')
  const filePath = typeof path === 'string' ? path : null
  return {
    kind: 'diff',
    fileName: filePath?.split(/[/\\]/).at(-1) ?? '',
    filePath,
    fileDiff: '',
    originalContent: before ?? (isNewFile ? '' : null),
    newContent: after,
    ...countChangedLines(before ?? '', after),
    isNewFile,
    isRebuilt: true,
  }
}

/** Lines between the common start and the common end of both texts. */
function countChangedLines(before: string, after: string) {
  const old = toLines(before)
  const now = toLines(after)
  let head = 0
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1
  let tail = 0
  const shorter = Math.min(old.length, now.length) - head
  while (tail < shorter && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1
  return { linesAdded: now.length - head - tail, linesRemoved: old.length - head - tail }
}

function toLines(text: string): string[] {
  if (text === '') return []
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
}
