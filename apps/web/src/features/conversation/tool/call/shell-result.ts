import type { ToolCall } from 'gemini-sessions'
import { unwrapUntrusted } from '../results/unwrap-untrusted.ts'
import { textArgument } from './tool-argument.ts'

export interface ShellResult {
  /** What the command printed; '' for nothing. */
  printed: string
  /** As asked for; '' for the project's own folder. */
  directory: string
  /** Why the command could not be run or ended badly, in the words of the system; '' for no reason. */
  error: string
  signal: string
  /** Processes that go on after the command. */
  backgroundPids: string
  /** How it ended where it did not run to its end. */
  ending: 'background' | 'timeout' | 'cancelled' | null
}

const LABELS = ['Error', 'Exit Code', 'Signal', 'Background PIDs', 'Process Group PGID'] as const
/** Everything but the command's output stands in the last lines. */
const TAIL_LENGTH = 4_000

/** The result of a shell command, from the text that the model got (all versions since 0.9). */
export function shellResult(call: ToolCall): ShellResult {
  const text = 'text' in call.output ? unwrapUntrusted(call.output.text) : ''
  const tail = readTail(text)
  const background = /^Command (?:moved to background \(PID: |is running in background\. PID: )(\d+)/.exec(
    text,
  )
  return {
    printed: printedText(text, tail.start),
    directory: textArgument(call, 'dir_path', 'directory'),
    error: tail.fields.get('Error') ?? '',
    signal: tail.fields.get('Signal') ?? '',
    backgroundPids: background?.[1] ?? tail.fields.get('Background PIDs') ?? '',
    ending: background !== null ? 'background' : endingOf(text),
  }
}

/** Labelled lines from the end upwards, as long as they stand in the CLI's order: a command may print such lines itself. */
function readTail(text: string): { fields: Map<string, string>; start: number } {
  const fields = new Map<string, string>()
  let start = text.length
  let last: number = LABELS.length
  for (;;) {
    const lineStart = text.lastIndexOf('\n', start - 2) + 1
    if (start === 0 || text.length - lineStart > TAIL_LENGTH) return { fields, start }
    const line = text.slice(lineStart, start).trimEnd()
    const at = LABELS.findIndex((name) => line.startsWith(`${name}: `))
    const label = LABELS[at]
    if (label === undefined || at >= last) return { fields, start }
    last = at
    const value = line.slice(label.length + 2)
    if (value !== '(none)') fields.set(label, value)
    start = lineStart
  }
}

function printedText(text: string, end: number): string {
  const found = /(?:^|\n)(?:Output|Stdout): /.exec(text.slice(0, TAIL_LENGTH))
  if (found === null)
    return (
      /Output before cancellation:\n([\s\S]*)$|Below is the output before it was cancelled:\n([\s\S]*)$/
        .exec(text)
        ?.slice(1)
        .find((part) => part !== undefined) ?? ''
    )
  const printed = text
    .slice(found.index + found[0].length, Math.max(end, found.index + found[0].length))
    .replace(/\n$/, '')
  return printed === '(empty)' ? '' : printed
}

function endingOf(text: string): ShellResult['ending'] {
  const start = text.slice(0, 400)
  if (/^Command was automatically cancelled because it exceeded the timeout/.test(start)) return 'timeout'
  return /^Command was cancelled by user/.test(start) ? 'cancelled' : null
}
