/** What a reviewer can switch off as a group. */
export type ChangeKind = 'secret' | 'home' | 'user' | 'host' | 'email'

/** A finding: `start` to `end` in the given text. */
export interface Span {
  kind: ChangeKind
  /** Human-readable, such as "GitHub token". */
  name: string
  start: number
  end: number
  replacement: string
  /** The user or host name in it, to be searched for elsewhere. */
  learned?: string
}

/** Adds what it finds around the literal at `at`. */
export type FindAt = (text: string, at: number, spans: Span[]) => void

/** One replacement, with what a reviewer needs to judge it. */
export interface Change extends Span {
  /** The original text. Write it nowhere but into the review. */
  value: string
  before: string
  after: string
  /** In a value: the path to the text, such as `args.command`; '' in a text. */
  at: string
}

/** Could not be examined, so it is not exported. */
export interface LeftOut {
  reason: 'binary' | 'too-large'
  /** In UTF-16 units, like `length`. */
  length: number
  at: string
}

/** The user of this computer; redacted everywhere in paths and addresses. */
export interface OwnNames {
  /** Home folders of the user, as the system writes them. */
  homes?: readonly string[]
  userNames?: readonly string[]
  hostNames?: readonly string[]
}

/** A secret of this name with this length, from `start` on. */
export function secretSpan(name: string, start: number, length: number): Span {
  return { kind: 'secret', name, start, end: start + length, replacement: `[redacted: ${name}]` }
}
