import type { Cost } from 'gemini-sessions'
import type { Fold } from './row.ts'

export interface FoldTally {
  messages: number
  calls: number
  cost: Cost
  tokens: number
  /** First line that a person or the model wrote in it; of a sub-agent its task. */
  firstLine: string
}

export function foldTally(fold: Fold): FoldTally {
  const { branch } = fold
  if (branch !== null) {
    const { messages, usage, cost, firstLine } = branch
    return { messages, calls: usage.calls, tokens: usage.total, cost, firstLine }
  }
  const messages = fold.messages.map((entry) => entry.message)
  const billed = messages.filter((message) => message.usage !== null)
  const prices = billed.flatMap((message) => message.cost?.usd ?? [])
  const unpricedCalls = billed.reduce((sum, message) => sum + (message.cost?.unpricedCalls ?? 0), 0)
  return {
    messages: messages.length,
    calls: billed.length,
    cost: { usd: prices.length === 0 ? null : prices.reduce((sum, usd) => sum + usd, 0), unpricedCalls },
    tokens: billed.reduce((sum, message) => sum + (message.usage?.total ?? 0), 0),
    firstLine: taskOf(fold) ?? messages.map(firstLineOf).find((line) => line !== '') ?? '',
  }
}

function firstLineOf(message: Fold['messages'][number]['message']): string {
  if (message.origin === 'tool-result' || message.origin === 'injected') return ''
  const part = message.content.find((part) => part.kind === 'text' && part.text.trim() !== '')
  return part?.kind === 'text' ? (part.text.trim().split('\n', 1)[0] ?? '').slice(0, 200) : ''
}

/** The CLI's own prompt wraps the task: `<objective>`, `<question>`; null where it does not. */
function taskOf({ cause, messages }: Fold): string | null {
  const part = cause === 'agent' ? messages[0]?.message.content[0] : undefined
  if (part?.kind !== 'text') return null
  const task = /<(objective|question)>\s*([^\n]+?)\s*(?:\n|<\/\1>|$)/.exec(part.text)?.[2]
  return task?.slice(0, 200) ?? null
}
