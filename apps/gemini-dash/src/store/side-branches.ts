import type { SideBranch } from '@gemini-dash/api'
import {
  addCost,
  addUsage,
  type Compression,
  type Message,
  messageText,
  NO_COST,
  NO_USAGE,
  type Superseded,
  type Turn,
} from 'gemini-sessions'

interface Surroundings {
  turns: readonly Turn[]
  compressions: readonly Compression[]
  /** Shown in their place nevertheless. */
  unfolded: readonly string[]
}

const MAX_LINE_LENGTH = 200

/** What the CLI no longer holds, at the place where it happened. A seam ends a branch; so does another cause. `messages` are priced. */
export function findSideBranches(messages: readonly Message[], surroundings: Surroundings): SideBranch[] {
  const { turns, compressions, unfolded } = surroundings
  const drawn = new Set(unfolded)
  const seams = new Set(compressions.map(({ offset }) => offset))
  const branches: SideBranch[] = []
  let start = 0
  for (let offset = 1; offset <= messages.length; offset += 1) {
    const cause = causeOf(messages[start], drawn)
    const goesOn =
      offset < messages.length &&
      causeOf(messages[offset], drawn) === cause &&
      !seams.has(offset) &&
      messages[offset]?.segment === messages[start]?.segment
    if (goesOn) continue
    const members = messages.slice(start, offset)
    if (cause !== null && members.some(isDrawn)) branches.push(toBranch(members, cause, start, turns))
    start = offset
  }
  return branches
}

/** Why a message is folded away; null for one that is not. A notice that a rewrite dropped is still shown. */
function causeOf(message: Message | undefined, drawn: ReadonlySet<string>): Superseded | null {
  if (message === undefined || drawn.has(message.key)) return null
  const isNotice = message.type === 'info' || message.type === 'warning' || message.type === 'error'
  return message.superseded === 'replaced' && isNotice ? null : message.superseded
}

/** A turn with only tool results is shown with the calls that it answers. */
function isDrawn(message: Message): boolean {
  return (
    message.origin !== 'tool-result' ||
    message.content.some((part) => part.kind !== 'text' || part.text.trim() !== '')
  )
}

function toBranch(
  messages: readonly Message[],
  cause: Superseded,
  firstOffset: number,
  turns: readonly Turn[],
): SideBranch {
  const begun = turns.filter(
    (turn) =>
      turn.number > 0 && turn.firstOffset >= firstOffset && turn.firstOffset < firstOffset + messages.length,
  )
  const [first, last] = [begun[0], begun.at(-1)]
  return {
    cause,
    firstKey: messages[0]?.key ?? '',
    firstOffset,
    messages: messages.length,
    turns: first === undefined || last === undefined ? null : { first: first.number, last: last.number },
    usage: messages.reduce((sum, { usage }) => (usage === null ? sum : addUsage(sum, usage)), NO_USAGE),
    cost: messages.reduce((sum, { cost }) => (cost === null ? sum : addCost(sum, cost)), NO_COST),
    firstLine: messages.map(firstLineOf).find((line) => line !== '') ?? '',
  }
}

function firstLineOf(message: Message): string {
  if (message.origin === 'tool-result' || message.origin === 'injected') return ''
  return (messageText(message).trim().split('\n', 1)[0] ?? '').slice(0, MAX_LINE_LENGTH)
}
