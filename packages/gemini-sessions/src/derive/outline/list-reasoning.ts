import type { Reasoning, ReasoningCall, ReasoningStep } from '../../model/insights/reasoning.ts'
import type { Message, Thought } from '../../model/message.ts'
import { isModelCall, isPrompt } from '../messages/message-kinds.ts'
import { oneLine } from '../messages/message-text.ts'

const MAX_SUBJECT_LENGTH = 120

/** The model's reasoning by subjects, with the time between them. Turns are numbered as in `buildOutline`. */
export function listReasoning(messages: readonly Message[]): Reasoning {
  const calls: ReasoningCall[] = []
  const tokens = { thoughts: 0, output: 0 }
  let turn = 0
  let previousTime: string | null = null
  for (const [offset, message] of messages.entries()) {
    if (isPrompt(message)) turn += 1
    if (isModelCall(message)) {
      const { key: messageKey, superseded, usage, thoughts } = message
      tokens.thoughts += usage?.thoughts ?? 0
      tokens.output += usage?.output ?? 0
      if (thoughts.length > 0)
        calls.push({
          messageKey,
          offset,
          turn,
          superseded,
          tokens: usage && { thoughts: usage.thoughts, output: usage.output },
          steps: toSteps(thoughts, previousTime),
        })
    }
    previousTime = lastInstant(message) ?? previousTime
  }
  return { calls, tokens }
}

/** The last thing recorded of a message: itself, or a tool that it called and that came back later. */
function lastInstant({ timestamp, toolCalls }: Message): string | null {
  return toolCalls.reduce(
    (last, call) => (call.timestamp !== null && call.timestamp > (last ?? '') ? call.timestamp : last),
    timestamp,
  )
}

function toSteps(thoughts: readonly Thought[], before: string | null): ReasoningStep[] {
  return thoughts.map(({ subject, description, timestamp }, index) => ({
    subject: oneLine(subject.trim() === '' ? description : subject, MAX_SUBJECT_LENGTH),
    timestamp,
    afterMs: timeBetween(index === 0 ? before : (thoughts[index - 1]?.timestamp ?? null), timestamp),
  }))
}

/** null as well where the later one claims to be earlier: clocks are set, and messages are put in order by their records. */
function timeBetween(from: string | null, to: string | null): number | null {
  if (from === null || to === null) return null
  const betweenMs = Date.parse(to) - Date.parse(from)
  return betweenMs >= 0 ? betweenMs : null
}
