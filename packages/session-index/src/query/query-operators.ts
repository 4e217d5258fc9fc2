/** An operator of the query language, as help and suggestions explain it. */
export interface QueryOperator {
  name: string
  /** What may stand behind the colon, in a few words. */
  example: string
  hint: string
  /** Its values, where they are few and fixed. */
  values: readonly string[]
}

/** Every operator, in the order in which they are offered. */
export const QUERY_OPERATORS: readonly QueryOperator[] = [
  {
    name: 'project',
    example: 'project:webshop',
    hint: 'in this project: name, path or a part of one',
    values: [],
  },
  {
    name: 'model',
    example: 'model:2.5-pro',
    hint: 'in sessions that used this model: name or a part; * is anything',
    values: [],
  },
  {
    name: 'tool',
    example: 'tool:Shell',
    hint: 'with a call of this tool: either of its names or a part; * is anything',
    values: [],
  },
  {
    name: 'in',
    example: 'in:prompt,answer',
    hint: 'said here: you, the model, its thoughts, a tool',
    values: ['prompt', 'answer', 'thought', 'tool-args', 'tool-output', 'notice', 'attachment', 'title'],
  },
  {
    name: 'is',
    example: 'is:error',
    hint: 'failed: a call, a request, a prompt without an answer; a live session, one with a star, a sub-agent’s, taken back',
    values: ['error', 'live', 'starred', 'subagent', 'superseded'],
  },
  {
    name: 'status',
    example: 'status:cancelled',
    hint: 'with a call that ended so',
    values: ['success', 'error', 'cancelled', 'unanswered'],
  },
  { name: 'file', example: 'file:src/*.ts', hint: 'with a call that touched this path', values: [] },
  {
    name: 'has',
    example: 'has:diff',
    hint: 'with a diff, a picture or thoughts',
    values: ['diff', 'image', 'thoughts'],
  },
  { name: 'tokens', example: 'tokens:>50k', hint: 'calls of so many tokens', values: [] },
  { name: 'cost', example: 'cost:>0.10', hint: 'calls that cost so many dollars', values: [] },
  { name: 'after', example: 'after:-7d', hint: 'said at or after this day or time', values: [] },
  { name: 'before', example: 'before:2026-01-31', hint: 'said before this day or time', values: [] },
  {
    name: 'tag',
    example: 'tag:proxy',
    hint: 'in sessions that you gave this tag; * is anything',
    values: [],
  },
  {
    name: 'note',
    example: 'note:idea',
    hint: 'in sessions whose notes, or those of their messages, hold this',
    values: [],
  },
  {
    name: 'session',
    example: 'session:477739d0',
    hint: 'in this session: its id or the beginning of it',
    values: [],
  },
]
