export type CodeRole = 'keyword' | 'string' | 'number' | 'name' | 'comment'

/** A run of characters with one role. `start` is its offset in the whole code. */
export interface CodeToken {
  text: string
  start: number
  role: CodeRole | null
}

export interface CodeLine {
  start: number
  tokens: CodeToken[]
}
