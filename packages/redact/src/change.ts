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
}

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

export interface RedactOptions {
  /** Home folders of the person, as the system writes them. */
  homes?: readonly string[]
  userNames?: readonly string[]
  hostNames?: readonly string[]
  /** Kinds that a reviewer switched off. */
  keepKinds?: ReadonlySet<ChangeKind>
  /** Single findings that a reviewer switched off, by what stands there. */
  keepValues?: ReadonlySet<string>
  /** A longer text is left out; 16 million unless told. */
  maxLength?: number
}
