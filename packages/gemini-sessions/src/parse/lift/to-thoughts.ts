import type { Thought } from '../../model/message.ts'
import { KNOWN_NAMES } from '../../raw/known-names.ts'
import { isRawObject } from '../../raw/raw-object.ts'
import type { Problems } from '../problems/problems.ts'
import { toIsoTime } from '../row/to-iso-time.ts'
import { flattenContent } from './parts/flatten-content.ts'

/** The recorded thoughts or, where a rewrite (0.44+) kept them only as parts of `content`, those. */
export function toThoughts(
  recorded: unknown,
  content: unknown,
  timestamp: string | null,
  at: string,
  problems: Problems,
): Thought[] {
  if (Array.isArray(recorded) && recorded.length > 0) {
    return recorded.flatMap((thought): Thought[] => {
      if (typeof thought === 'string') return [{ subject: '', description: thought, timestamp }]
      if (!isRawObject(thought)) {
        problems.addIssue('bad-field', `${at} thoughts`)
        return []
      }
      problems.addUnknownNames('thought', thought, KNOWN_NAMES.thought, at)
      const { subject, description } = thought
      return [
        {
          subject: typeof subject === 'string' ? subject : '',
          description: typeof description === 'string' ? description : '',
          timestamp: toIsoTime(thought.timestamp),
        },
      ]
    })
  }
  if (recorded !== undefined && recorded !== null && !Array.isArray(recorded)) {
    problems.addIssue('bad-field', `${at} thoughts`)
  }
  if (typeof content === 'string') return []
  return flattenContent(content).flatMap((part) =>
    isRawObject(part) && part.thought === true && typeof part.text === 'string'
      ? [{ ...splitThought(part.text), timestamp }]
      : [],
  )
}

/** `**Subject** description`, as the CLI writes thought parts. */
function splitThought(text: string): { subject: string; description: string } {
  const match = /^\s*\*\*(.+?)\*\*\s*([\s\S]*)$/.exec(text)
  return match ? { subject: match[1] ?? '', description: match[2] ?? '' } : { subject: '', description: text }
}
