import type { SessionActivity } from '@gemini-dash/api'
import type { Message } from 'gemini-sessions'
import { saysSomething } from './fits-filter.ts'

/** What the last records of a session tell, and no more than they tell. */
export function findActivity(messages: readonly Message[]): SessionActivity {
  const isLive = ({ superseded }: Message) => superseded === null
  const last = messages.findLast((message) => isLive(message) && isTalk(message))
  const since = messages.findLast((message) => isLive(message) && message.timestamp !== null)?.timestamp
  return { state: last === undefined ? 'silent' : stateAfter(last), since: since ?? null }
}

/** Notices answer nothing, and the context that the CLI adds asks for nothing. */
function isTalk({ origin, agentKey }: Message): boolean {
  return origin === 'human' || origin === 'model' || origin === 'tool-result' || agentKey !== null
}

function stateAfter(last: Message): SessionActivity['state'] {
  // a sub-agent's messages stand in its parent's file while the call that started it is on its way
  if (last.agentKey !== null) return 'calling'
  if (last.origin !== 'model') return 'asked'
  if (last.toolCalls.some(({ status }) => !FINISHED.has(status))) return 'calling'
  // the results of finished calls go back to the model
  if (last.toolCalls.length > 0) return 'asked'
  return saysSomething(last) ? 'answered' : 'calling'
}

/** Whatever else stands there: no result is recorded yet. */
const FINISHED = new Set(['success', 'error', 'cancelled'])
