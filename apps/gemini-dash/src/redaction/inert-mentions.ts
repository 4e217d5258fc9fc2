import { parse, postprocess, preprocess } from 'micromark'
import { gfm } from 'micromark-extension-gfm'
import { decodeString } from 'micromark-util-decode-string'
import type { Event, Extension, Token } from 'micromark-util-types'

/** Takes no room, breaks no line, and is neither a blank nor punctuation, so that no mark beside it changes its meaning. */
export const WORD_JOINER = '\u2060'

/**
 * What calls somebody or writes a line into another thread where it is pasted: a person or a team, an issue or pull request
 * (`#1`, `GH-1`), a merge request (`!1`). The mark alone; what has to follow it is only looked at. Behind an e-mail address
 * a word begins anew.
 */
const CALL =
  /(?:(?<![A-Za-z0-9])|(?<=@[\w.-]{1,255}))@(?=[A-Za-z0-9-])|#(?=\d)|(?<![A-Za-z0-9])GH-(?=\d)|!(?=\d)/gi
/** The address of what it would be written into. */
const THREAD =
  /(?:https?:\/\/|www\.)[^\s<>()[\]"'`]{1,300}?\/(?:issues|pull|discussions|merge_requests|work_items|epics)\/\d[^\s<>()[\]"'`]*/gi
const NUMBER = /\/(?:issues|pull|discussions|merge_requests|work_items|epics)\/(?=\d)/gi
/** GitHub's own address that leads to the same place and is counted by nobody. */
const GITHUB = /^(?:https?:)?\/\/(?:www\.)?github\.com(?=\/[^/]+\/[^/]+\/(?:issues|pull|discussions)\/\d)/i
/** An address that is the same text in a code span and outside of it, whoever reads it. */
const SAME_IN_CODE = /^(?:[A-Za-z0-9:/.#?=%+,@-]|(?<=[A-Za-z0-9])_(?=[A-Za-z0-9]))+$/
/** What GitHub leaves out at the end of an address. */
const TRAILING = /[.,:;!?*_~]+$/

/** What is written around a call or an address that is found in a plain text. */
interface Marks {
  /** Behind the mark of a call. */
  call: (mark: string) => string
  /** Instead of the address of a thread. */
  thread: (address: string, isSameInCode: boolean) => string
  /** Of all the rest. */
  rest: (text: string) => string
}

/** A text in which nothing is Markdown, written so that it calls nobody where it is pasted. */
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
/** An address that leads nowhere any more, where it cannot stand in code. */
export const joinedThread = (address: string) => address.replace(NUMBER, joined).replace(CALL, joined)

export function holdsThread(text: string): boolean {
  return threadsIn(text).length > 0
}

/** Text without any of these calls nobody, whatever Markdown makes of it. */
export const MAY_CALL = /[@#!]|GH|&|\/\d/i

/**
 * Markdown that calls nobody where it is pasted, and is drawn as the same text: behind the mark of a call stands a word joiner,
 * and the address of a thread is code, or leads there by GitHub's redirection. Code, e-mail addresses, the addresses
 * of links and what a link is found by stay as they are.
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
    // what is escaped in it is no address that GitHub would follow
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

/** What is bold or struck through decides nothing here, and long runs of its marks take long. */
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

/** The address of one. `isLink`: GitHub makes a link of it by itself. */
interface Thread extends Range {
  isLink: boolean
}

interface Found {
  /** The text as it is drawn, with a line break where something else stands between. */
  seen: string
  /** Of each letter of it, where it ends in the Markdown. */
  ends: number[]
  threads: Thread[]
  /** By these words a link is found: they have to stay. */
  sealed: Range[]
  edits: Edit[]
  /** A backtick belongs to an address, so that renderers do not agree what is code. */
  hasOddTicks: boolean
}

/** No text of these is drawn, or it is what a link is found by. */
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

/** Copies have it as it was typed. What stands between its tags is drawn, their addresses are followed. */
function addHtml(found: Found, html: string, offset: number): void {
  for (const { index, 0: piece } of html.matchAll(/<[^>]*>|&[^;\s]{1,32};|[^<&]+|[<&]/g)) {
    const range = rangeOf(offset + index, piece)
    if (piece.startsWith('<'))
      for (const { index: at, 0: address } of piece.matchAll(/(?:https?:)?\/\/[^\s"'>]+/gi))
        found.edits.push(...destinationEdits(address, rangeOf(range.start + at, address)))
    // a backtick is one there
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

/** As code; where it would not be the same text there, its number is told apart from it. */
function threadEdit(markdown: string, { start, end, isLink }: Thread, ticks: string | null): Edit {
  const source = markdown.slice(start, end)
  const isInAngles = source.startsWith('<')
  const address = isInAngles ? source.slice(1, -1) : source
  const [before = '', after = ''] = [markdown[start - 1], markdown[end]]
  // without its angle it would go on with an address that stands before it
  const isBoundBefore = isInAngles && /\S/.test(before)
  if (ticks === null || isBoundBefore || !SAME_IN_CODE.test(address)) {
    // what stands behind its number may be a link to those who know no bare addresses
    const known = isLink ? (threadsIn(source)[0]?.end ?? 0) : source.length
    const head = source.slice(0, known)
    return { start, end: start + known, text: isLink ? head.replace(NUMBER, joined) : joinedThread(head) }
  }
  const endsInWord = !isInAngles && /\w$/.test(address)
  // a mark of stress beside it has to see a letter where it saw one, and no mark of code or formulas may see ours
  const lead = /[`$\\]/.test(before) || (!isInAngles && /[*_~]/.test(before)) ? WORD_JOINER : ''
  const tail = /[`$]/.test(after) || (endsInWord && /[*_~]/.test(after)) ? WORD_JOINER : ''
  return { start, end, text: lead + ticks + address + ticks + tail }
}

/** So many backticks as stand nowhere in a row. */
function freeTicks(markdown: string): string {
  // the first one may be escaped
  const taken = new Set([...markdown.matchAll(/`+/g)].flatMap(([{ length }]) => [length, length - 1]))
  let length = 1
  while (taken.has(length)) length += 1
  return '`'.repeat(length)
}

/** What lies in something that is written anew goes with it. */
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
