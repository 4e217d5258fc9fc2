import type { MessageFilter } from '@gemini-dash/api'

/** Names of the filters. */
export const FILTER_NAMES: Record<MessageFilter, string> = {
  dialogue: 'Prompts and answers',
  errors: 'Failed',
  edits: 'Edits',
  shell: 'Commands',
  thoughts: 'Thinking',
}
