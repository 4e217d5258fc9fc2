import { type FindAt, type Span, secretSpan } from './change.ts'
import { isPlaceholder, isWords } from './judge.ts'
import { TOKEN_RULES, type TokenRule } from './token-rules.ts'
import { unwrapped } from './unwrapped.ts'

/** Secrets with a recognizable form, by the literal they start with. */
export const TOKEN_LITERALS: readonly [literal: string, find: FindAt][] = TOKEN_RULES.flatMap((rule) =>
  rule.anchors.map((anchor): [string, FindAt] => [
    anchor,
    (text, at, spans) => addToken(text, rule, anchor, at, spans),
  ]),
)

function addToken(text: string, rule: TokenRule, anchor: string, at: number, spans: Span[]): void {
  const { name, shape, behind } = rule
  const before = behind === null ? '' : behind.exec(text.slice(Math.max(0, at - 100), at))?.[0]
  if (before === undefined || (behind === null && !beginsWord(text, at))) return
  shape.lastIndex = at
  let found = shape.exec(text)
  let end = shape.lastIndex
  const wrapped = unwrapped(text, at, found === null ? at : end)
  if (wrapped !== null) {
    shape.lastIndex = 0
    const whole = shape.exec(wrapped.text)
    if (whole !== null && whole[0].length > (found?.[0].length ?? 0)) {
      found = whole
      end = wrapped.placeOf(shape.lastIndex)
    }
  }
  const rest = before + (found?.[0].slice(anchor.length) ?? '')
  if (found === null || isPlaceholder(rest) || isWords(rest)) return
  // with a group, the text around the secret is kept
  const start = found[1] === undefined ? at - before.length : at + found[0].lastIndexOf(found[1])
  spans.push({ ...secretSpan(name, start, 0), end })
}

function beginsWord(text: string, at: number): boolean {
  return at === 0 || !/[A-Za-z0-9]/.test(text.charAt(at - 1)) || !/[A-Za-z0-9]/.test(text.charAt(at))
}

/** Private keys, in any context. */
export const KEY_LITERALS: readonly [literal: string, find: FindAt][] = [
  ['-----BEGIN ', addPrivateKey],
  ['---- BEGIN SSH2', addPrivateKey],
  ['Private-Lines: ', addPrivateKey],
]

const BEGIN =
  /-----BEGIN (?:[A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)-----|---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----|Private-Lines: [0-9]{1,3}/y
/** The text between the markers, including line breaks written as `\n`. */
const BODY = /^[A-Za-z0-9+/=\s\\,:.()-]*/
/** Prose about keys does not contain a word like this. */
const KEY_LINE = /[A-Za-z0-9+/=]{32}/

/** PEM and PGP blocks, including those cut off at the end. Each search stops at the next marker, so no text is read twice. */
function addPrivateKey(text: string, at: number, spans: Span[]): void {
  BEGIN.lastIndex = at
  if (!BEGIN.test(text)) return
  const start = BEGIN.lastIndex
  const next = text.indexOf('----', start)
  const closing = next === -1 ? null : /^-{4,5} ?END[^-\n]{0,60}-{4,5}/.exec(text.slice(next, next + 80))
  const body = BODY.exec(text.slice(start, next === -1 ? text.length : next))?.[0].trimEnd() ?? ''
  if (!KEY_LINE.test(closing === null ? body : text.slice(start, next))) return
  const end = closing === null ? start + body.length : next + closing[0].length
  spans.push(secretSpan('private key', at, end - at))
}
