import type { Reasoning, ReasoningCall, Turn } from 'gemini-sessions'

export interface TurnReasoning {
  number: number
  /** First line of the prompt; '' for what stands before the first. */
  prompt: string
  calls: ReasoningCall[]
  thoughts: number
}

/** The turns in which the model thought, in order. */
export function groupByTurn({ calls }: Reasoning, turns: readonly Turn[]): TurnReasoning[] {
  const prompts = new Map(turns.map((turn) => [turn.number, turn.prompt]))
  const groups = new Map<number, TurnReasoning>()
  for (const call of calls) {
    const group = groups.get(call.turn) ?? {
      number: call.turn,
      prompt: (prompts.get(call.turn) ?? '').trim().split('\n', 1)[0] ?? '',
      calls: [],
      thoughts: 0,
    }
    group.calls.push(call)
    group.thoughts += call.steps.length
    groups.set(call.turn, group)
  }
  return [...groups.values()]
}
