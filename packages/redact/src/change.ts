/** What a reviewer can switch off as a whole. */
export type ChangeKind = 'secret' | 'home' | 'user' | 'host' | 'email'

/** A place that was found: from `start` to `end` of the text that was given. */
export interface Span {
  kind: ChangeKind
  /** What it is, in words: "GitHub token". */
  name: string
  start: number
  end: number
  replacement: string
  /** The name of a person or computer in it, which is then looked for elsewhere. */
  learned?: string
}

/** Adds what it finds around a literal that begins at `at`. */
export type FindAt = (text: string, at: number, spans: Span[]) => void

/** One replacement, with what a reviewer needs to judge it. */
export interface Change extends Span {
  /** What stood there; never to be written anywhere but into the review. */
  value: string
  before: string
  after: string
  /** In a value: the way to the text, as `args.command`; '' in a text. */
  at: string
}

/** What could not be examined, and so does not go out. */
export interface LeftOut {
  reason: 'binary' | 'too-large'
  /** In UTF-16 units, as `length` counts. */
  length: number
  at: string
}

/** Who uses this computer: redacted wherever they stand in paths and addresses. */
export interface OwnNames {
  /** Home folders of the person, as the system writes them. */
  homes?: readonly string[]
  userNames?: readonly string[]
  hostNames?: readonly string[]
}

/** A secret of this name, so long from `start` on. */
export function secretSpan(name: string, start: number, length: number): Span {
  return { kind: 'secret', name, start, end: start + length, replacement: `[redacted: ${name}]` }
}
