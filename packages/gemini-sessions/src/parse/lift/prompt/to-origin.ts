import type { Origin } from '../../../model/message.ts'
import { isRawObject } from '../../../raw/raw-object.ts'
import { flattenContent, plainText } from '../parts/plain-text.ts'
import { splitToolTurn } from '../responses/split-tool-turn.ts'
import { isSubagentPrompt } from './is-subagent-prompt.ts'
import { splitContext } from './split-context.ts'

/** Openings of `user` texts that the CLI writes by itself. */
const INJECTED_OPENINGS = [
  '<state_snapshot>', // the summary that /compress leaves (0.44+)
  '- **Workspace Directories:**\n', // after /dir add
  'This is the Gemini CLI. We are setting up the context', // before the tags of 0.29
  'System: Please continue.', // the CLI asks itself to go on
  'System: Potential loop detected',
  '[System: You previously ',
  "Here is the user's editor context", // from the editor's companion, in restored histories (0.44+)
  "Here is a summary of changes in the user's editor context",
]

/** Who really made a message. */
export function toOrigin(type: unknown, content: unknown): Origin {
  if (type === 'user') return toUserOrigin(content)
  if (type === 'gemini') return isCliAnswer(content) ? 'injected' : 'model'
  // Not the CLI's, but other tools write them into the same shape.
  if (type === 'human') return 'human'
  if (type === 'model' || type === 'assistant') return 'model'
  return 'cli'
}

function toUserOrigin(content: unknown): Origin {
  const parts = flattenContent(content)
  const { answers, rest } = splitToolTurn(parts)
  const spoken = plainText(answers.length > 0 ? rest : content)
  if (answers.length > 0 && spoken.trim() === '') return 'tool-result'
  const text = splitContext(spoken).rest.trim()
  // Up to 0.27 results with extra parts were flattened to this text.
  if (text.startsWith('[Function Response: ')) return 'tool-result'
  if (text === '') return parts.some(isMedia) ? 'human' : 'injected'
  const isInjected = INJECTED_OPENINGS.some((opening) => text.startsWith(opening)) || isSubagentPrompt(text)
  return isInjected ? 'injected' : 'human'
}

function isMedia(part: unknown): boolean {
  return isRawObject(part) && (isRawObject(part.inlineData) || isRawObject(part.fileData))
}

/** Answers in the model's name that the CLI made up: the partner of a snapshot, and that of a picture (0.44+). */
function isCliAnswer(content: unknown): boolean {
  if (typeof content === 'string') return false
  const parts = flattenContent(content)
  const [part] = parts
  if (parts.length !== 1 || !isRawObject(part) || typeof part.text !== 'string') return false
  return part.thought === true
    ? part.text.startsWith('Binary content received.')
    : part.text === 'Got it. Thanks for the additional context!'
}
