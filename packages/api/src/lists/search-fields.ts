/** The parts of a session that are searched. In a file without zod, because the index needs it to open. */
export const SEARCH_FIELDS = [
  'title',
  'prompt',
  'answer',
  'thought',
  'tool-args',
  'tool-output',
  'notice',
  'attachment',
] as const
