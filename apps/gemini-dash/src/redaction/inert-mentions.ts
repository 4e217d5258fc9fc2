import { parse, postprocess, preprocess } from 'micromark'
import { gfm } from 'micromark-extension-gfm'
import { decodeString } from 'micromark-util-decode-string'
import type { Event, Extension, Token } from 'micromark-util-types'

/** Zero width, not a line break, and neither a space nor punctuation, so that it does not change the meaning of marks next to it. */
export const WORD_JOINER = '\u2060'

/**
 * Marks that mention someone, or add an entry to another thread, where a text is pasted: a person or a team, an issue or pull request
 * (`#1`, `GH-1`), a merge request (`!1`). Matches only the mark; what must follow is a lookahead. After an e-mail address a new word
 * begins.
 */
const CALL =
  /(?:(?<![A-Za-z0-9])|(?<=@[\w.-]{1,255}))@(?=[A-Za-z0-9-])|#(?=\d)|(?<![A-Za-z0-9])GH-(?=\d)|!(?=\d)/gi
/** URL of a thread that would get an entry. */
const THREAD =
  /(?:https?:\/\/|www\.)[^\s<>()[\]"'`]{1,300}?\/(?:issues|pull|discussions|merge_requests|work_items|epics)\/\d[^\s<>()[\]"'`]*/gi
const NUMBER = /\/(?:issues|pull|discussions|merge_requests|work_items|epics)\/(?=\d)/gi
/** GitHub's own redirect host, which leads to the same page without creating a cross-reference. */
const GITHUB = /^(?:https?:)?\/\/(?:www\.)?github\.com(?=\/[^/]+\/[^/]+\/(?:issues|pull|discussions)\/\d)/i
/** A URL that is the same text inside and outside of a code span, in every renderer. */
const SAME_IN_CODE = /^(?:[A-Za-z0-9:/.#?=%+,@-]|(?<=[A-Za-z0-9])_(?=[A-Za-z0-9]))+$/
/** Trailing characters that GitHub leaves out of a URL. */
const TRAILING = /[.,:;!?*_~]+$/

/** How to rewrite a mention or URL found in plain text. */
interface Marks {
  /** Replaces the mark of a mention. */
  call: (mark: string) => string
  /** Replaces the URL of a thread. */
  thread: (address: string, isSameInCode: boolean) => string
  /** Replaces all other text. */
  rest: (text: string) => string
}

/** Rewrites a text that contains no Markdown so that it mentions nobody where it is pasted. */
export function plainWithoutCalls(text: string, marks: Partial<Marks> = {}): string {
  const { call = joined, thread = joinedThread, rest = asItIs } = marks
  const threads = threadsIn(text).map((range) => ({ ...range, isThread: true }))
  const calls = [...text.matchAll(CALL)].map(({ index, 0: mark }) => ({
    ...rangeOf(index, mark),
    isThread: false,
  }))
  let written = ''
  let at = 0
  for (const { start, end, isThread } of [...threads, ...calls].sort((a, b) => a.start - b.start)) {
    if (start < at) continue
    const found = text.slice(start, end)
    written +=
      rest(text.slice(at, start)) + (isThread ? thread(found, SAME_IN_CODE.test(found)) : call(found))
    at = end
  }
  return written + rest(text.slice(at))
}

const asItIs = (text: string) => text
const joined = (mark: string) => mark + WORD_JOINER
/** A URL that no longer leads anywhere, for places where it cannot be code. */
export const joinedThread = (address: string) => address.replace(NUMBER, joined).replace(CALL, joined)

export function holdsThread(text: string): boolean {
  return threadsIn(text).length > 0
}

/** Text without any of these mentions nobody, however Markdown parses it. */
export const MAY_CALL = /[@#!]|GH|&|\/\d/i

/**
 * Rewrites Markdown so that it mentions nobody where it is pasted, but renders as the same text: a word joiner follows the mark of a
 * mention, and the URL of a thread becomes code, or leads there through GitHub's redirect host. Code, e-mail addresses, the targets of
 * links and reference labels stay as they are.
 */
export function withoutCalls(markdown: string, events: readonly Event[]): string {
  const found = examine(markdown, events)
  const edits = [...found.edits]
  for (const { index, 0: mark } of found.seen.matchAll(CALL)) {
    const at = found.ends[index + mark.length - 1]
    if (at !== undefined) edits.push({ start: at, end: at, text: WORD_JOINER })
  }
  for (const { start, end } of threadsIn(found.seen)) {
    const [from, to] = [(found.ends[start] ?? 0) - 1, found.ends[end - 1] ?? 0]
    // GitHub does not follow a URL with escapes
    if (markdown.slice(from, to) === found.seen.slice(start, end))
      found.threads.push({ start: from, end: to, isLink: false })
  }
  const ticks = found.hasOddTicks ? null : freeTicks(markdown)
  for (const thread of found.threads) edits.push(threadEdit(markdown, thread, ticks))
  return written(
    markdown,
    edits.filter(({ start }) => !found.sealed.some((range) => start >= range.start && start < range.end)),
  )
}

/** Emphasis and strikethrough do not matter here, and long runs of their marks are slow to parse. */
export function eventsOf(markdown: string, extensions: Extension[] = [gfm()]): Event[] {
  const withoutStress = { disable: { null: ['attention', 'strikethrough'] } }
  const parser = parse({ extensions: [...extensions, withoutStress] })
  return postprocess(parser.document().write(preprocess()(markdown, undefined, true)))
}

export interface Range {
  start: number
  end: number
}

interface Edit extends Range {
  text: string
}

/** URL of a thread. `isLink`: GitHub autolinks it. */
interface Thread extends Range {
  isLink: boolean
}

interface Found {
  /** The text as rendered, with a line break in place of everything else. */
  seen: string
  /** For each character of it, the offset at which it ends in the Markdown. */
  ends: number[]
  threads: Thread[]
  /** Reference labels, which must stay as they are. */
  sealed: Range[]
  edits: Edit[]
  /** A URL contains a backtick, so renderers disagree on what is code. */
  hasOddTicks: boolean
}

/** Not rendered as text, or a reference label. */
const UNSEEN: ReadonlySet<string> = new Set([
  ...['resource', 'reference', 'definition', 'codeFenced', 'codeIndented', 'codeText'],
  ...['gfmFootnoteCall', 'gfmFootnoteDefinitionLabel'],
])
const TEXTS: ReadonlySet<string> = new Set(['data', 'characterReference', 'characterEscape'])
const DESTINATIONS: ReadonlySet<string> = new Set([
  'resourceDestinationString',
  'definitionDestinationString',
])
const ADDRESSES: ReadonlySet<string> = new Set(['literalAutolink', 'autolink'])
const HTML: ReadonlySet<string> = new Set(['htmlText', 'htmlFlow'])
const LABELLED: ReadonlySet<string> = new Set(['link', 'image'])

function examine(markdown: string, events: readonly Event[]): Found {
  const found: Found = { seen: '', ends: [], threads: [], sealed: [], edits: [], hasOddTicks: false }
  let unseen = 0
  const labelled: { leads: boolean }[] = []
  for (const [kind, token] of events) {
    const { type } = token
    const range = { start: token.start.offset, end: token.end.offset }
    const source = markdown.slice(range.start, range.end)
    if (kind === 'exit') {
      if (UNSEEN.has(type)) unseen -= 1
      if (LABELLED.has(type) && labelled.pop()?.leads === false) found.sealed.push(range)
      continue
    }
    if (LABELLED.has(type)) labelled.push({ leads: false })
    const around = labelled.at(-1)
    if (around !== undefined && (type === 'resource' || type === 'referenceString')) around.leads = true
    if (UNSEEN.has(type)) unseen += 1
    if (DESTINATIONS.has(type)) found.edits.push(...destinationEdits(source, range))
    else if (unseen === 0 && TEXTS.has(type)) addText(found, drawn(source, token), range)
    else if (ADDRESSES.has(type)) addAddress(found, source, range)
    else if (HTML.has(type)) addHtml(found, source, range.start)
  }
  return found
}

function drawn(source: string, { type }: Token): string {
  if (type === 'characterReference') return decodeString(source)
  return type === 'characterEscape' ? source.slice(1) : source
}

function addText(found: Found, text: string, { start, end }: Range): void {
  if (found.ends.at(-1) !== start) {
    found.seen += '\n'
    found.ends.push(start)
  }
  found.seen += text
  const isSource = text.length === end - start
  for (let at = 1; at <= text.length; at += 1) found.ends.push(isSource ? start + at : end)
}

function addAddress(found: Found, source: string, { start, end }: Range): void {
  if (source.includes('`')) found.hasOddTicks = true
  const [thread] = threadsIn(source)
  const isWhole = source.startsWith('<') || thread?.start === 0
  if (thread !== undefined && isWhole) found.threads.push({ start, end, isLink: true })
}

/** Copies contain HTML as it was typed. Text between tags is rendered, and addresses in tags are followed. */
function addHtml(found: Found, html: string, offset: number): void {
  for (const { index, 0: piece } of html.matchAll(/<[^>]*>|&[^;\s]{1,32};|[^<&]+|[<&]/g)) {
    const range = rangeOf(offset + index, piece)
    if (piece.startsWith('<'))
      for (const { index: at, 0: address } of piece.matchAll(/(?:https?:)?\/\/[^\s"'>]+/gi))
        found.edits.push(...destinationEdits(address, rangeOf(range.start + at, address)))
    // a backtick is literal there
    else if (threadsIn(piece).length > 0) found.edits.push({ ...range, text: plainWithoutCalls(piece) })
    else addText(found, decodeString(piece), range)
  }
}

function destinationEdits(source: string, range: Range): Edit[] {
  const address = decodeString(source)
  if (!GITHUB.test(address)) return []
  const text = address
    .replace(GITHUB, 'https://redirect.github.com')
    .replace(/&/g, '&amp;')
    .replace(/[\s<>()\\]/g, (letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`)
  return [{ ...range, text }]
}

function threadsIn(text: string): Range[] {
  return [...text.matchAll(THREAD)].map(({ index, 0: address }) =>
    rangeOf(index, address.replace(TRAILING, '')),
  )
}

function rangeOf(start: number, { length }: string): Range {
  return { start, end: start + length }
}

/** As code; if the text would differ there, its number is separated from it by a word joiner. */
function threadEdit(markdown: string, { start, end, isLink }: Thread, ticks: string | null): Edit {
  const source = markdown.slice(start, end)
  const isInAngles = source.startsWith('<')
  const address = isInAngles ? source.slice(1, -1) : source
  const [before = '', after = ''] = [markdown[start - 1], markdown[end]]
  // without its angle brackets it would become part of an address before it
  const isBoundBefore = isInAngles && /\S/.test(before)
  if (ticks === null || isBoundBefore || !SAME_IN_CODE.test(address)) {
    // text after its number may be a link to renderers that do not autolink bare URLs
    const known = isLink ? (threadsIn(source)[0]?.end ?? 0) : source.length
    const head = source.slice(0, known)
    return { start, end: start + known, text: isLink ? head.replace(NUMBER, joined) : joinedThread(head) }
  }
  const endsInWord = !isInAngles && /\w$/.test(address)
  // an emphasis mark next to it must still be adjacent to a letter, and no mark of code or formulas may be adjacent to ours
  const joiner = /[`$\\]/.test(before) || (!isInAngles && /[*_~]/.test(before)) ? WORD_JOINER : ''
  const tail = /[`$]/.test(after) || (endsInWord && /[*_~]/.test(after)) ? WORD_JOINER : ''
  return { start, end, text: joiner + ticks + address + ticks + tail }
}

/** A number of backticks that does not occur as a run. */
function freeTicks(markdown: string): string {
  // the first one may be escaped
  const taken = new Set([...markdown.matchAll(/`+/g)].flatMap(([{ length }]) => [length, length - 1]))
  let length = 1
  while (taken.has(length)) length += 1
  return '`'.repeat(length)
}

/** Edits inside a replaced range are dropped. */
function written(markdown: string, edits: Edit[]): string {
  let text = ''
  let at = 0
  for (const edit of edits.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (edit.start < at) continue
    text += markdown.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return text + markdown.slice(at)
}
