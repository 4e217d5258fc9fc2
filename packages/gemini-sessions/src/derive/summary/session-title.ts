import type { Message } from '../../model/message.ts'
import type { Session } from '../../model/session.ts'
import type { SessionSummary } from '../../model/session-summary.ts'
import { drawnMessages } from '../messages/drawn-messages.ts'
import { isDamagedSession } from '../messages/is-damaged-session.ts'
import { oneLine } from '../messages/message-text.ts'
import { firstPrompt } from './first-prompt.ts'

const MAX_LENGTH = 160

export type SessionTitle = Pick<SessionSummary, 'title' | 'titleSource'>

/**
 * What a list row calls the session: the CLI's summary, else the newest topic the model declared, else the first real
 * prompt. A saved chat goes by its tag. A sub-agent's `summary` is its final answer, so its task names it. What could not be read has the
 * name of its file. '' if there is nothing (`none`).
 */
export function sessionTitle(session: Session): SessionTitle {
  if (session.kind === 'checkpoint' && session.summary !== null) {
    return { title: oneLine(session.summary, MAX_LENGTH), titleSource: 'user' }
  }
  const summary = session.kind === 'subagent' ? '' : cleanSummary(session.summary ?? '')
  if (summary !== '') return { title: summary, titleSource: 'summary' }
  const topic = newestTopic(drawnMessages(session))
  if (topic !== '') return { title: topic, titleSource: 'topic' }
  const asked = firstPrompt(session) ?? ''
  const prompt = session.kind === 'subagent' ? withoutTemplate(asked) : asked
  if (prompt !== '') return { title: oneLine(prompt, MAX_LENGTH), titleSource: 'prompt' }
  const file = isDamagedSession(session) ? session.files[0]?.path : undefined
  if (file !== undefined) return { title: file.slice(file.lastIndexOf('/') + 1), titleSource: 'file' }
  return { title: '', titleSource: 'none' }
}

/** The first line with words; of a JSON text the first string in it. */
function cleanSummary(summary: string): string {
  const line =
    asText(summary)
      .split('\n')
      .find((candidate) => /[\p{L}\p{N}]/u.test(candidate)) ?? ''
  return oneLine(line.replace(/^[#>*\-\s]+/, '').replace(/\*\*/g, ''), MAX_LENGTH)
}

function asText(summary: string): string {
  if (!/^\s*[{[]/.test(summary)) return summary
  try {
    return Object.values(JSON.parse(summary)).find((value) => typeof value === 'string') ?? ''
  } catch {
    return summary
  }
}

/** Title of the last `update_topic` call (0.36+). */
function newestTopic(messages: readonly Message[]): string {
  const topics = messages
    .flatMap((message) => message.toolCalls)
    .filter((call) => call.name === 'update_topic')
    .map((call) => topicOf(call.args))
  return oneLine(topics.findLast((topic) => topic.trim() !== '') ?? '', MAX_LENGTH)
}

function topicOf(args: unknown): string {
  if (typeof args !== 'object' || args === null || !('title' in args)) return ''
  return typeof args.title === 'string' ? args.title : ''
}

/** A sub-agent's prompt wraps its task in fixed words: "… user objective: <objective> task </objective>". */
function withoutTemplate(prompt: string): string {
  return /<objective>\s*(.+?)\s*(?:<\/objective>|$)/.exec(prompt)?.[1] ?? prompt
}
