/** What of a session a hit can stand in. In a file without zod, as the index needs it to open. */
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
