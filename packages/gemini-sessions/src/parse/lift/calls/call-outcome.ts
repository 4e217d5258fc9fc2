import type { ToolCall } from '../../../model/tool-call.ts'

const LABEL = 'Exit Code: '

/** Only a signal, process ids and a closing tag stand behind it. */
const TAIL_LENGTH = 2_000

/** A shell command that ends with another code than 0 has failed, though its status is `success`. */
export function isFailedCall(status: string, exitCode: number | null): boolean {
  return status === 'error' || (exitCode !== null && exitCode !== 0)
}

/** The exit code in a shell call's result text; null if it has none. The CLI's own line is the last of its kind. */
export function readExitCode(text: string): number | null {
  const tail = text.slice(-TAIL_LENGTH)
  for (let at = tail.lastIndexOf(LABEL); at !== -1; at = at === 0 ? -1 : tail.lastIndexOf(LABEL, at - 1)) {
    if (at > 0 && tail[at - 1] !== '\n') continue
    const code = /^-?\d+/.exec(tail.slice(at + LABEL.length, at + LABEL.length + 12))
    return code ? Number(code[0]) : null
  }
  return null
}

/** The CLI's own lines stand last: a command may print such a line itself. U+FDD0 marks where a large text was put aside. */
const SIGNAL_AT_END =
  /(?:^|\n)Signal: ([^\n\uFDD0]+)(?:\n(?:Background PIDs|Process Group PGID): [^\n]*)*(?:\n<\/[\w-]+>)?\s*$/

/** The signal that ended a shell command, in its result text; null if none did. */
export function readSignal(text: string): string | null {
  const tail = text.slice(-TAIL_LENGTH)
  // The search for words is several times faster than the expression, and mostly finds none.
  const signal = tail.includes('Signal: ') ? (SIGNAL_AT_END.exec(tail)?.[1]?.trim() ?? '') : ''
  return ['', '(none)', '0', 'null'].includes(signal) ? null : signal
}

/** What Gemini CLI says in place of a command's output: that it goes on in the background, was cancelled or blocked. */
const NO_END =
  /^(?:<untrusted_context>\n)?Command (?:is running in background|moved to background|was (?:automatically )?cancelled|injection detected)/
const STARTED_ONLY = /(?:^|[^&])&\s*$/

/**
 * Whether a shell command with status `success` ended by itself: that status also has one that goes on in the background, ran
 * out of time, was cancelled or ended by a signal.
 */
export function hasRunToItsEnd({ args, output }: Pick<ToolCall, 'args' | 'output'>): boolean {
  const command = typeof args === 'object' && args !== null && 'command' in args ? args.command : null
  if (typeof command === 'string' && STARTED_ONLY.test(command)) return false
  const text = 'text' in output ? output.text : ''
  return !NO_END.test(text) && readSignal(text) === null
}
