import type { Span } from './change.ts'
import { isPlaceholder } from './placeholder.ts'
import { TOKEN_RULES } from './token-rules.ts'

/** Secrets that can be told by themselves, whatever they stand beside. */
export function findSecrets(text: string): Span[] {
  return [...findPrivateKeys(text), ...findTokens(text)]
}

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----/g
/** What stands between the marks, line ends written as `\n` included. */
const BODY = /^[A-Za-z0-9+/=\s\\,:.()-]*/
/** Prose about keys has no such word. */
const KEY_LINE = /[A-Za-z0-9+/=]{40}/

/** PEM and PGP blocks, also one whose end was cut off. Each search ends at the next mark: no text is read twice. */
function findPrivateKeys(text: string): Span[] {
  const spans: Span[] = []
  for (const { index, 0: mark } of text.matchAll(BEGIN)) {
    const start = index + mark.length
    const next = text.indexOf('-----', start)
    const isClosed = next !== -1 && text.startsWith('-----END', next)
    const bodyEnd = isClosed ? next : runEnd(text, start, next === -1 ? text.length : next)
    if (!KEY_LINE.test(text.slice(start, bodyEnd))) continue
    const closing = isClosed ? text.slice(next + 5, next + 80).indexOf('-----') : -1
    spans.push({
      kind: 'secret',
      name: 'private key',
      start: index,
      end: closing === -1 ? bodyEnd : next + closing + 10,
      replacement: '[redacted: private key]',
    })
  }
  return spans
}

function runEnd(text: string, start: number, limit: number): number {
  const run = BODY.exec(text.slice(start, limit))?.[0] ?? ''
  return start + run.trimEnd().length
}

interface Form {
  name: string
  anchor: string
  form: RegExp
}

const FORMS: readonly Form[] = TOKEN_RULES.flatMap(({ name, anchors, shape }) =>
  anchors.map((anchor) => ({ name, anchor, form: new RegExp(shape, 'y') })),
)
/** By the two characters that they begin with. */
const FORMS_BY_BEGINNING = new Map<string, Form[]>()
for (const form of FORMS) {
  const beginning = form.anchor.slice(0, 2)
  FORMS_BY_BEGINNING.set(beginning, [...(FORMS_BY_BEGINNING.get(beginning) ?? []), form])
}
/** By their first two characters: for each that may be the third a bit, which it shares with others. */
const THIRDS = new Int32Array(1 << 14)
for (const { anchor } of FORMS) {
  const third = anchor.length > 2 ? 1 << (anchor.charCodeAt(2) & 31) : -1
  const pair = (anchor.charCodeAt(0) << 7) | anchor.charCodeAt(1)
  THIRDS[pair] = (THIRDS[pair] ?? 0) | third
}

/** Secrets that can be told by their form alone. One pass over a text looks for all of them. */
function findTokens(text: string): Span[] {
  const spans: Span[] = []
  let first = text.charCodeAt(0)
  let second = text.charCodeAt(1)
  for (let at = 0; at < text.length - 2; at++) {
    const third = text.charCodeAt(at + 2)
    const thirds = (first | second) < 128 ? (THIRDS[(first << 7) | second] ?? 0) : 0
    if (((thirds >>> (third & 31)) & 1) === 1) addTokensAt(text, at, spans)
    first = second
    second = third
  }
  return spans
}

function addTokensAt(text: string, at: number, spans: Span[]): void {
  for (const { name, anchor, form } of FORMS_BY_BEGINNING.get(text.slice(at, at + 2)) ?? []) {
    if (!text.startsWith(anchor, at) || !beginsWord(text, at)) continue
    form.lastIndex = at
    const found = form.exec(text)
    if (found === null || isPlaceholder(found[0].slice(anchor.length))) continue
    // a shape with a group keeps what stands around the secret: the user and host of an address
    const secret = found[1] ?? found[0]
    const start = at + found[0].lastIndexOf(secret)
    const end = start + secret.length
    spans.push({ kind: 'secret', name, start, end, replacement: `[redacted: ${name}]` })
  }
}

/** Not in the middle of a word; `\n` written as two characters is no word, and `://` follows one. */
function beginsWord(text: string, at: number): boolean {
  if (at === 0 || text.charAt(at) === ':' || !/[A-Za-z0-9]/.test(text.charAt(at - 1))) return true
  return /\\[nrt]/.test(text.slice(Math.max(0, at - 2), at))
}
