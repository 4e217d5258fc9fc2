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
/** One pass over a text looks for all of them. */
const ANY_ANCHOR = new RegExp(
  [...new Set(FORMS.map(({ anchor }) => anchor))]
    .map((anchor) => anchor.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
    .join('|'),
  'g',
)

/** Secrets that can be told by their form alone. */
function findTokens(text: string): Span[] {
  const spans: Span[] = []
  ANY_ANCHOR.lastIndex = 0
  for (let met = ANY_ANCHOR.exec(text); met !== null; met = ANY_ANCHOR.exec(text)) {
    const at = met.index
    // another anchor may begin within this one
    ANY_ANCHOR.lastIndex = at + 1
    if (beginsWord(text, at)) spans.push(...tokensAt(text, at))
  }
  return spans
}

function tokensAt(text: string, at: number): Span[] {
  const forms = FORMS_BY_BEGINNING.get(text.slice(at, at + 2)) ?? []
  return forms.flatMap(({ name, anchor, form }) => {
    if (!text.startsWith(anchor, at)) return []
    form.lastIndex = at
    const found = form.exec(text)
    if (found === null || isPlaceholder(found[0].slice(anchor.length))) return []
    // a shape with a group keeps what stands around the secret: the user and host of an address
    const secret = found[1] ?? found[0]
    const start = at + found[0].lastIndexOf(secret)
    return [
      {
        kind: 'secret' as const,
        name,
        start,
        end: start + secret.length,
        replacement: `[redacted: ${name}]`,
      },
    ]
  })
}

/** Not in the middle of a word; `\n` written as two characters is no word, and `://` follows one. */
function beginsWord(text: string, at: number): boolean {
  if (at === 0 || text.charAt(at) === ':' || !/[A-Za-z0-9]/.test(text.charAt(at - 1))) return true
  return /\\[nrt]/.test(text.slice(Math.max(0, at - 2), at))
}
