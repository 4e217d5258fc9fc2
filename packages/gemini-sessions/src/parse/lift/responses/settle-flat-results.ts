import type { Message } from '../../../model/message.ts'
import type { ToolCall } from '../../../model/tool-call.ts'

/** Up to 0.27 a result with more than one part was sent on as a text of this form, name by name. */
const MARKER = /\[Function Response: ([^\]\n]{1,200})\]/g
const PLACEHOLDER = /^<[\w.+-]+\/[\w.+-]+>$/

/**
 * Takes out of such texts what the calls before them show: each result is drawn once, with its call. What no call holds
 * stays (0.4 to 0.8 recorded no calls at all). `messages` stand in order of record.
 */
export function settleFlatResults(messages: readonly Message[]): void {
  let calls: ToolCall[] = []
  for (const message of messages) {
    if (message.origin === 'model') calls.push(...message.toolCalls)
    else if (message.origin === 'human') calls = []
    else if (message.origin === 'tool-result' && calls.length > 0) settle(message, calls)
  }
}

function settle(message: Message, calls: readonly ToolCall[]): void {
  const [part, ...others] = message.content
  if (part?.kind !== 'text' || others.length > 0 || !part.text.startsWith('[Function Response: ')) return
  const left = splitByName(part.text).filter(({ name, text }) => !isShown(text, ofName(calls, name)))
  message.content = left.length === 0 ? [] : [{ kind: 'text', text: left.map(({ whole }) => whole).join('') }]
}

function splitByName(flat: string): { name: string; text: string; whole: string }[] {
  const markers = [...flat.matchAll(MARKER)]
  return markers.map((marker, index) => {
    const whole = flat.slice(marker.index, markers[index + 1]?.index)
    return { name: marker[1] ?? '', text: whole.slice(marker[0].length).trim(), whole }
  })
}

function ofName(calls: readonly ToolCall[], name: string): ToolCall[] {
  return calls.filter((call) => call.name === name)
}

/** A call of that name holds the text; a call that lacks it gets it. */
function isShown(text: string, calls: readonly ToolCall[]): boolean {
  if (calls.length === 0) return false
  if (text === '' || PLACEHOLDER.test(text)) return true
  if (calls.some((call) => textsOf(call).some((known) => known.includes(text)))) return true
  const bare = calls.findLast((call) => textsOf(call).every((known) => known === '' || known === NO_MORE))
  if (bare === undefined) return false
  bare.extraParts = [...bare.extraParts, { kind: 'text', text }]
  return true
}

const NO_MORE = 'Tool execution succeeded.'

function textsOf({ output, extraParts }: ToolCall): string[] {
  const beside = extraParts.map((part) => (part.kind === 'text' ? part.text : ''))
  return ['text' in output ? output.text : '', beside.join('')]
}
