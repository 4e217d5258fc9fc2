export type CodeRole = 'keyword' | 'string' | 'number' | 'name' | 'comment'

/** One run of a line in one role. `start` is its offset in the whole code. */
export interface CodeToken {
  text: string
  start: number
  role: CodeRole | null
}

export interface CodeLine {
  start: number
  tokens: CodeToken[]
}
