import { createHash } from 'node:crypto'
import {
  type Change,
  type ChangeKind,
  type Known,
  type LeftOut,
  learnValue,
  type RedactOptions,
  redactValue,
} from '@gemini-dash/redact'
import type { AnsiToken, Message, Part, ToolCall, ToolOutput } from 'gemini-sessions'

/** Who writes the export, and what a reviewer switched off: kinds, and ids of single changes. */
export interface Redaction extends Pick<RedactOptions, 'homes' | 'userNames' | 'hostNames'> {
  keep: readonly string[]
}

export interface RedactedMessage {
  message: Message
  changes: Change[]
  leftOut: LeftOut[]
  /** Pictures and files that leave by their names only. */
  byName: number
}

const KINDS: readonly ChangeKind[] = ['secret', 'home', 'user', 'host', 'email']

/** What a person said, a model wrote and a tool gave, redacted; keys, times and figures stay as they are. */
export function redactMessage(given: Message, options: RedactOptions): RedactedMessage {
  const { content, attachments, thoughts, toolCalls } = given
  let byName = 0
  const nameOnly = <Held extends Part | ToolOutput>(part: Held): Held => {
    if (!('data' in part) || part.data === null) return part
    byName += 1
    return { ...part, data: null }
  }
  const files = attachments.map((file) => {
    if (file.path === '') return file
    byName += 1
    return { ...file, text: '' }
  })
  const calls = toolCalls.map((call): ToolCall => {
    const output = nameOnly(plainAnsi(call.output))
    return {
      ...call,
      output,
      display: call.display && nameOnly(plainAnsi(call.display)),
      extraParts: call.extraParts.map(nameOnly),
    }
  })
  const spoken = { content: content.map(nameOnly), attachments: files, thoughts, toolCalls: calls }
  const { value, changes, leftOut } = redactValue(spoken, options)
  // the same fields with other texts
  return { message: { ...given, ...(value as typeof spoken) }, changes, leftOut, byName }
}

/** Adds what a message tells to what is known of the session. */
export function learnMessage(known: Known, { content, attachments, thoughts, toolCalls }: Message): void {
  learnValue(known, {
    content: content.map(withoutData),
    attachments,
    thoughts,
    toolCalls: toolCalls.map((call) => {
      const output = withoutData(plainAnsi(call.output))
      const display = call.display && withoutData(plainAnsi(call.display))
      // mostly it is the same text
      const isSame = display && 'text' in display && 'text' in output && output.text.includes(display.text)
      return {
        ...call,
        output,
        display: isSame ? null : display,
        extraParts: call.extraParts.map(withoutData),
      }
    }),
  })
}

function withoutData<Held extends Part | ToolOutput>(part: Held): Held {
  return 'data' in part && part.data !== null ? { ...part, data: null } : part
}

/** For the redaction: a reviewer's ids, as sets that it can ask. */
export function redactOptions({ keep, ...person }: Redaction): RedactOptions {
  const keepKinds = new Set(KINDS.filter((kind) => keep.includes(kind)))
  return { ...person, keepKinds, ...(keep.length > keepKinds.size && { keepValues: new KeptIds(keep) }) }
}

/** By which a change is named in an address, where no secret may stand. */
export function changeId(value: string): string {
  return createHash('sha256').update(value).digest('base64url').slice(0, 10)
}

class KeptIds extends Set<string> {
  override has(value: string): boolean {
    return super.has(changeId(value))
  }
}

/** A secret may be drawn in several colours, piece by piece: it is found in the text only. */
function plainAnsi<Output extends ToolOutput>(output: Output): Output | { kind: 'text'; text: string } {
  if (output.kind !== 'ansi') return output
  const textOf = (line: AnsiToken[]) => line.map(({ text }) => text).join('')
  return { kind: 'text', text: output.lines.map(textOf).join('\n') }
}
