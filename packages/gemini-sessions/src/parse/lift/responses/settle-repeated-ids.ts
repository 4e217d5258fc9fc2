import type { Message } from '../../../model/message.ts'
import type { ToolCall } from '../../../model/tool-call.ts'

/**
 * A JSON document can hold one id twice, and the CLI shows both rows. They are one call of the model and one run of each
 * tool: the first row counts, with the last tokens and calls recorded for the id (contract rule 11). `messages` stand in
 * order of record.
 */
export function settleRepeatedIds(messages: readonly Message[]): void {
  const firstOfId = new Map<string, Message>()
  for (const message of messages) {
    if (message.id === '' || message.copyOf !== null) continue
    const first = firstOfId.get(message.id)
    if (first === undefined) firstOfId.set(message.id, message)
    else if (first.type === message.type) settle(first, message)
  }
}

function settle(first: Message, repeated: Message): void {
  first.usage = repeated.usage ?? first.usage
  repeated.usage = null
  first.toolCalls = first.toolCalls.map((call) => repeated.toolCalls.find(isSame(call)) ?? call)
  repeated.toolCalls = repeated.toolCalls.filter((call) => !first.toolCalls.some(isSame(call)))
  const saysTheSame = JSON.stringify(first.content) === JSON.stringify(repeated.content)
  // What two people's words have in common is only an id that another tool gave twice.
  if (first.origin === 'model' || saysTheSame) repeated.copyOf = first.key
}

function isSame(call: ToolCall): (other: ToolCall) => boolean {
  return (other) => call.id !== '' && call.id === other.id
}
