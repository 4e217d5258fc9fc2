import type { ExportedAgent, TranscriptQuery } from '@gemini-dash/api'
import { formatColumnCost, formatCount, formatSize } from '@gemini-dash/api/figures'
import { speakerOf } from '@gemini-dash/api/source-names'
import { toolLabel } from '@gemini-dash/api/tool-label'
import { formatZonedTime } from '@gemini-dash/api/zone-clock'
import type { Message, Part, Thought, ToolCall } from 'gemini-sessions'
import { decodeString } from 'micromark-util-decode-string'
import type { Event, Extension } from 'micromark-util-types'
import {
  eventsOf,
  holdsThread,
  joinedThread,
  MAY_CALL,
  plainWithoutCalls,
  type Range,
  WORD_JOINER,
  withoutCalls,
} from '../redaction/inert-mentions.ts'
import { type CutMessage, fateWords, resultText } from './choose-messages.ts'
import type { ExportHead, Writer } from './write-vac.ts'

/** For GitHub: thoughts, calls and attached files are folded. */
export const markdownWriter: Writer = {
  head: (of) => `${frontMatter(of)}\n# ${plainInMarkdown(of.session.title) || 'Session'}\n`,
  message: ({ message, fate, closing }, _place, agents, { zone }) =>
    [
      message === null
        ? ''
        : messageBlock(message, { speaker: speakerOf(message), fate, agents, zone, level: 2 }),
      closing === null ? '' : `**${plainInMarkdown(closing)}**`,
    ]
      .filter((block) => block !== '')
      .map((block) => `\n${block}\n`)
      .join(''),
  tail: () => '',
}

/** Every value is JSON, which is valid YAML. Figures include sub-agents, as in lists. */
function frontMatter({ session, depth, isRedacted }: ExportHead): string {
  const { key, sessionId, project, models, startTime, endTime, counts, subagentKeys } = session
  const { usage, cost, toolCalls, failures } = session.withSubagents
  const values: Record<string, unknown> = {
    id: sessionId,
    key,
    project: project.name,
    path: project.path,
    models: models?.map(({ name }) => name) ?? [],
    start: startTime,
    end: endTime,
    messages: counts?.messages ?? null,
    tokens: usage?.total ?? null,
    input_tokens: usage?.input ?? null,
    cached_tokens: usage?.cached ?? null,
    output_tokens: usage?.output ?? null,
    thoughts_tokens: usage?.thoughts ?? null,
    cost_usd: cost?.usd ?? null,
    calls_without_price: cost?.unpricedCalls ?? null,
    tool_calls: toolCalls,
    failed_tool_calls: failures?.tools ?? null,
    refused_requests: failures?.refused ?? null,
    ...(subagentKeys.length > 0 && {
      own_tokens: session.usage?.total ?? null,
      own_cost_usd: session.cost?.usd ?? null,
      own_tool_calls: session.recorded?.toolCalls ?? null,
    }),
    depth,
    redacted: isRedacted,
  }
  const lines = Object.entries(values).map(([name, value]) => `${name}: ${inertJson(value)}`)
  return ['---', ...lines, '---', ''].join('\n')
}

/** Renderers without support for front matter draw it as Markdown, so its texts must not start a link or tag, or mention anyone. */
function inertJson(value: unknown): string {
  const escaped = (mark: string) => `\\u00${mark.charCodeAt(0).toString(16)}`
  const rest = (text: string) => text.replace(/[<[\]&`]/g, escaped)
  const marks = {
    call: (mark: string) => mark.slice(0, -1) + escaped(mark.slice(-1)),
    thread: (address: string) => rest(address.replace(/[:.]/, escaped)),
    rest,
  }
  return JSON.stringify(value).replace(/"(?:[^"\\]|\\.)*"/g, (text) => plainWithoutCalls(text, marks))
}

interface Telling {
  speaker: string
  fate: CutMessage['fate']
  /** The conversations below its calls, by key. */
  agents: ReadonlyMap<string, ExportedAgent>
  /** The time zone of the times shown. */
  zone: string
  /** Level of its heading. */
  level: number
}

/** What also applies below a message's calls. */
type Within = Pick<Telling, 'agents' | 'zone' | 'level'>

/** '' if the message has no content of its own. */
function messageBlock(message: Message, { speaker, fate, agents, zone, level }: Telling): string {
  const blocks = [
    thoughtsBlock(message.thoughts),
    ...message.content.map(partBlock),
    ...message.attachments.map(attachmentBlock),
    ...message.toolCalls.map((call) => callBlock(call, { agents, zone, level })),
  ].filter((block) => block.trim() !== '')
  if (blocks.length === 0) return ''
  const facts = [
    speaker,
    message.model && plainInMarkdown(message.model),
    message.timestamp && formatZonedTime(message.timestamp, zone),
    fate,
  ].filter((fact) => fact)
  const all = [`${'#'.repeat(level)} ${facts.join(', ')}`, ...blocks, tokenLine(message)]
  return joinBlocks(all.filter((block) => block !== ''))
}

function tokenLine({ usage, cost }: Message): string {
  if (usage === null) return ''
  const { input, cached, output, thoughts } = usage
  return `<sub>${formatCount(input)} tokens in, ${formatCount(cached)} cached, ${formatCount(output)} out, ${formatCount(thoughts)} thoughts, ${formatColumnCost(cost)}</sub>`
}

function thoughtsBlock(thoughts: readonly Thought[]): string {
  if (thoughts.length === 0) return ''
  const subject = thoughts.find((thought) => thought.subject !== '')?.subject ?? ''
  const texts = thoughts.map(({ subject, description }) =>
    [subject === '' ? '' : `**${plainInMarkdown(subject)}**`, soundMarkdown(description)]
      .filter((text) => text !== '')
      .join('\n\n'),
  )
  const count = thoughts.length === 1 ? 'Thought' : `${thoughts.length} thoughts`
  return fold(subject === '' ? count : `${count}: ${subject}`, joinBlocks(texts))
}

function partBlock(part: Part): string {
  switch (part.kind) {
    case 'text':
      return soundMarkdown(part.text)
    case 'code': {
      const code = codeBlock(part.code, languageWord(part.language ?? ''))
      return part.output === null ? code : `${code}\n\n${codeBlock(part.output)}`
    }
    case 'unknown':
      return codeBlock(JSON.stringify(part.json, null, 2) ?? '', 'json')
    default: {
      // only pictures that are written as separate files have an address
      if (part.href !== null) return `![${plainInMarkdown(part.mimeType)}](${part.href})`
      const size = part.sizeBytes === null ? '' : `, ${formatSize(part.sizeBytes)}`
      return `*${part.kind}, ${plainInMarkdown(part.mimeType)}${size}${part.uri === null ? '' : `, ${plainInMarkdown(part.uri)}`}*`
    }
  }
}

function attachmentBlock({ path, text }: Message['attachments'][number]): string {
  const name = path === '' ? 'Added by Gemini CLI' : `Attached: ${path}`
  return text === ''
    ? `*${plainInMarkdown(name)}*`
    : fold(`${name}, ${formatSize(text.length)}`, codeBlock(text))
}

function callBlock(call: ToolCall, within: Within): string {
  const exit = call.exitCode === null ? '' : `, exit ${call.exitCode}`
  const end = [`${call.failed ? 'failed' : call.status}${exit}`, ...fateWords(call)].join(', ')
  const what = call.description ?? ''
  const title = `**${plainInMarkdown(toolLabel(call.name))}** ${plainInMarkdown(what)} (${plainInMarkdown(end)})`
  const args = JSON.stringify(call.args, null, 2) ?? ''
  const result = resultText(call)
  const blocks = [
    title,
    args === '' || args === '{}' ? '' : fold('Arguments', codeBlock(args, 'json')),
    result === ''
      ? ''
      : fold(resultName(result), codeBlock(result, call.display?.kind === 'diff' ? 'diff' : '')),
    call.output.kind === 'image' && call.output.href !== null
      ? `![${plainInMarkdown(call.output.mimeType)}](${call.output.href})`
      : '',
    ...call.extraParts.map(partBlock),
    call.agentKey === null ? '' : agentBlock(call.agentKey, within),
  ]
  return joinBlocks(blocks.filter((block) => block !== ''))
}

/** The conversation of a sub-agent, folded into the call that started it; if it is not exported here, a note where to find it. */
function agentBlock(key: string, { agents, zone, level }: Within): string {
  const agent = agents.get(key)
  if (agent === undefined) return `*Its conversation is a session of its own: ${key}*`
  const blocks = agent.messages.map((message, index) =>
    messageBlock(message, {
      speaker: agentSpeaker(message, index === 0),
      fate: message.superseded,
      agents,
      zone,
      level: Math.min(level + 1, DEEPEST_HEADING),
    }),
  )
  const said = blocks.filter((block) => block !== '')
  const count = said.length === 1 ? '1 message' : `${formatCount(said.length)} messages`
  return fold(`Its conversation, ${count}`, said.join('\n\n'))
}

const DEEPEST_HEADING = 6

function agentSpeaker(message: Message, isFirst: boolean): string {
  if (message.type === 'gemini') return 'Sub-agent'
  return isFirst && message.type === 'user' ? 'Task' : speakerOf(message)
}

function resultName(text: string): string {
  let lines = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < text.length - 1; at = text.indexOf('\n', at + 1))
    lines += 1
  return lines === 1 ? 'Result' : `Result, ${formatCount(lines)} lines`
}

/** The blank lines make GitHub parse the body as Markdown. */
function fold(name: string, body: string): string {
  const rest = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;')
  const thread = (address: string, isSameInCode: boolean) =>
    isSameInCode ? `<code>${address}</code>` : rest(joinedThread(address))
  const summary = plainWithoutCalls(name.replace(/\s+/g, ' '), { thread, rest })
  return `<details>\n<summary>${summary}</summary>\n\n${body}\n\n</details>`
}

function languageWord(language: string): string {
  return /^[\w+#.-]{1,40}$/.test(language) ? language.toLowerCase() : ''
}

/** Schemes that links may use; a destination without a scheme is relative to the same folder or text. */
const SAFE_SCHEMES = new Set(['http', 'https', 'mailto'])
/** Text without any of these contains no active Markdown. */
const MAY_BE_ACTIVE = /<[A-Za-z/!?]|!\[|\]\(|\]:|```|~~~/
/** Above these limits parsing takes seconds: the parser's cost is quadratic in brackets and nested lists. */
const MOST_PARSED = 128 * 1024
const MOST_BRACKETS = 4_096
const TOO_DEEP = /^(?:[ \t]*(?:[-+*>]|\d{1,9}[.)])){24}/m
/** Escaped HTML may expose further Markdown; three rounds were enough for everything seen so far. */
const MOST_ROUNDS = 8

/**
 * Markdown of a message that cannot affect anything beyond itself: an open fence is closed, HTML is shown as text, a link other than to a
 * web page, a mail address or a relative file becomes text, and a picture becomes a link, so that opening the file sends no requests. It
 * mentions nobody. Code is unchanged. Text too large to parse is shown as code.
 */
export function soundMarkdown(text: string): string {
  if (!MAY_BE_ACTIVE.test(text)) return callingNobody(text)
  let sound = text.replace(/^\ufeff/, '')
  if (!isParsedQuickly(sound)) return codeBlock(sound)
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const parts = partsOf(sound)
    const next = withoutHeads(sound, parts) ?? withoutActive(sound, parts.code)
    if (next === sound) return closed(withoutCalls(sound, parts.events), parts)
    sound = next
  }
  return codeBlock(text)
}

/** HTML constructs that hide or absorb everything after them until they are closed. */
const SWALLOWING: readonly (readonly [string, string])[] = [
  ['<!', '>'],
  ['<!--', '-->'],
  ['<![cdata[', ']]>'],
  ['<?', '?>'],
  ...['script', 'pre', 'style', 'textarea'].map((tag) => [`<${tag}`, `</${tag}>`] as const),
]

function swallowsRest(text: string): boolean {
  const lower = text.toLowerCase()
  return SWALLOWING.some(([begin, end]) => lower.lastIndexOf(begin) > lower.lastIndexOf(end))
}

/** Markdown of a message for copying: as written, except that it mentions nobody and nothing in it stays open at the end. */
function callingNobody(text: string): string {
  if (MAY_BE_ACTIVE.test(text) && swallowsRest(text)) return soundMarkdown(text)
  if (!MAY_CALL.test(text) && !/```|~~~/.test(text)) return text
  const markdown = text.replace(/^\ufeff/, '')
  if (!isParsedQuickly(markdown)) return codeBlock(markdown)
  const parts = examine(markdown)
  return closed(withoutCalls(markdown, parts.events), parts)
}

function closed(markdown: string, { openFence }: Pick<Parts, 'openFence'>): string {
  return openFence === null ? markdown : `${markdown}\n${openFence}`
}

/** An indented block would continue a list in the block before, and no longer be code. */
function joinBlocks(blocks: readonly string[]): string {
  return blocks
    .map((block, at) => (at > 0 && /^\s*[ \t]\S/.test(block) ? `<!-- -->\n\n${block}` : block))
    .join('\n\n')
}

/** A code block whose fence is longer than any in the code. */
export function codeBlock(code: string, language = ''): string {
  let longest = 2
  for (const [ticks] of code.matchAll(/`{3,}/g)) longest = Math.max(longest, ticks.length)
  const ticks = '`'.repeat(longest + 1)
  return `${ticks}${language}\n${code}${code.endsWith('\n') ? '' : '\n'}${ticks}`
}

/** An address that every renderer turns into a link, and that contains no active Markdown characters. */
const PLAIN_LINK =
  /((?<=^|\s)https?:\/\/[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+\/(?:[A-Za-z0-9:/.?=%+,@#-]|(?<=[A-Za-z0-9])_(?=[A-Za-z0-9]))*(?<=[A-Za-z0-9/])(?=[.,:;?]?(?:\s|$)))/

/** Text from a file for use within a line of Markdown: nothing is interpreted except that addresses become links. */
export function plainInMarkdown(text: string): string {
  // an address that does not become a link must not show our escapes
  const rest = (part: string) => part.replace(/[\\`*_{}[\]<>#|~!&]|:(?=\/\/)|(?<=www)\./gi, '\\$&')
  const thread = (address: string, isSameInCode: boolean) =>
    isSameInCode ? `\`${address}\`` : rest(joinedThread(address))
  const marks = { call: (mark: string) => rest(mark) + WORD_JOINER, thread, rest }
  return text
    .replace(/\s+/g, ' ')
    .split(PLAIN_LINK)
    .map((part, at) => (at % 2 === 1 && !holdsThread(part) ? part : plainWithoutCalls(part, marks)))
    .join('')
}

function isParsedQuickly(text: string): boolean {
  if (text.length > MOST_PARSED || TOO_DEEP.test(text)) return false
  let brackets = 0
  for (let at = text.indexOf(']'); at >= 0; at = text.indexOf(']', at + 1)) brackets += 1
  return brackets <= MOST_BRACKETS
}

interface Parts {
  /** What all renderers draw as code, in order. */
  code: Range[]
  /** The fence that is not closed; null if there is none, or if it ends with the list or quote that contains it. */
  openFence: string | null
  /** Positions of fences whose first line is the head of a table to some renderers. */
  heads: number[]
  /** From GitHub's parser. */
  events: Event[]
}

/** As GitHub parses it. Renderers without tables may see code elsewhere, so only the code of both counts. */
function partsOf(markdown: string): Parts {
  const parts = examine(markdown)
  if (!parts.isGitHub) return parts
  const plain = examine(markdown, [])
  return { ...parts, code: common(parts.code, plain.code) }
}

const CODE: ReadonlySet<string> = new Set(['codeFenced', 'codeIndented'])
const ONLY_GITHUB: ReadonlySet<string> = new Set(['table', 'gfmFootnoteDefinition'])
const CONTAINERS: ReadonlySet<string> = new Set([
  'blockQuote',
  'listOrdered',
  'listUnordered',
  'gfmFootnoteDefinition',
])

function examine(markdown: string, extensions?: Extension[]): Parts & { isGitHub: boolean } {
  const events = eventsOf(markdown, extensions)
  const parts: Parts & { isGitHub: boolean } = {
    code: [],
    openFence: null,
    heads: [],
    isGitHub: false,
    events,
  }
  const blocks: Range[] = []
  const spans: Range[] = []
  let containers = 0
  let fences: Range[] = []
  for (const [kind, { type, start, end }] of events) {
    const range = { start: start.offset, end: end.offset }
    if (CONTAINERS.has(type)) containers += kind === 'enter' ? 1 : -1
    if (ONLY_GITHUB.has(type)) parts.isGitHub = true
    if (kind === 'enter') {
      // renderers disagree on where indented code begins in a list
      const isHead = type === 'codeFenced' && isTableHead(markdown.slice(range.start, range.end))
      if (isHead) parts.heads.push(range.start)
      const isUnclear = isHead || (type === 'codeIndented' && containers > 0)
      if (type === 'codeText') spans.push(range)
      else if (CODE.has(type) && !isUnclear) blocks.push(range)
      if (type === 'codeFenced') fences = []
      if (type === 'codeFencedFenceSequence') fences.push(range)
    } else if (type === 'codeFenced') {
      const [opening, closing] = fences
      const isOpen = closing === undefined && opening !== undefined && containers === 0
      parts.openFence = isOpen ? markdown.slice(opening.start, opening.end) : null
    }
  }
  const code = [...blocks, ...common(spans, clearSpans(markdown, blocks))]
  return { ...parts, code: code.sort((one, other) => one.start - other.start) }
}

/**
 * Code spans that all renderers agree on, in order: up to the first backtick of a paragraph that some may pair differently, because the
 * other one is in another line or in another cell of a table.
 */
function clearSpans(markdown: string, blocks: readonly Range[]): Range[] {
  const spans: Range[] = []
  let at = 0
  for (const { start, end } of [...blocks, { start: markdown.length, end: 0 }]) {
    for (const paragraph of markdown.slice(at, start).split(/(\n[^\S\n]*(?=\n))/)) {
      for (const span of spansIn(paragraph)) spans.push({ start: at + span.start, end: at + span.end })
      at += paragraph.length
    }
    at = end
  }
  return spans
}

function* spansIn(paragraph: string): Generator<Range> {
  const runs = [...paragraph.matchAll(/`+/g)]
  if (runs.length < 2) return
  const apart = paragraph.split(/[\n\r]/).some(isTableRule) ? /[\n\r|]/ : /[\n\r]/
  for (let next = 0; next < runs.length; next++) {
    const { 0: ticks = '', index: start = 0 } = runs[next] ?? {}
    do next++
    while (next < runs.length && runs[next]?.[0] !== ticks)
    const end = (runs[next]?.index ?? 0) + ticks.length
    const isUnclear = next === runs.length || paragraph[start - 1] === '\\'
    if (isUnclear || apart.test(paragraph.slice(start, end))) return
    yield { start, end }
  }
}

function isTableHead(fence: string): boolean {
  const [head = '', rule = ''] = fence.split('\n', 2)
  return head.includes('|') && isTableRule(rule)
}

/** The line between the head and the rows of a table, also in a list or quote. */
function isTableRule(line: string): boolean {
  return line.includes('-') && /^[\s>|:+*\d.)-]+$/.test(line)
}

/** Intersection of two ordered lists. */
function common(left: Range[], right: Range[]): Range[] {
  const ranges: Range[] = []
  for (let at = 0, other = 0; at < left.length && other < right.length; ) {
    const [one, two] = [left[at], right[other]]
    if (one === undefined || two === undefined) break
    const range = { start: Math.max(one.start, two.start), end: Math.min(one.end, two.end) }
    if (range.start < range.end) ranges.push(range)
    if (one.end < two.end) at += 1
    else other += 1
  }
  return ranges
}

/** Escapes fences that some renderers take for a table, which makes them text to all; null if there are none. */
function withoutHeads(markdown: string, { heads }: Parts): string | null {
  if (heads.length === 0) return null
  const pieces = [0, ...heads].map((start, at) => markdown.slice(start, heads[at]))
  return pieces.join('\\')
}

function withoutActive(markdown: string, code: Range[]): string {
  let at = 0
  let sound = ''
  for (const { start, end } of code) {
    sound += inert(markdown, at, start) + markdown.slice(start, end)
    at = end
  }
  return sound + inert(markdown, at, markdown.length)
}

/** A longer beginning cannot hide a scheme, however each of its letters is encoded. */
const LONGEST_SCHEME = 512

/** Anything that looks like a tag, a picture or a link target is checked wherever it is, since renderers disagree on what counts as one. */
function inert(markdown: string, start: number, end: number): string {
  return markdown
    .slice(start, end)
    .replace(
      /<(?=[A-Za-z/!?])|!(?=\[)(?<=(?<!\\)(?:\\\\)*!)|\](?=([(:])([\s>]*))/g,
      (mark, kind?: string, space = '', at = 0) => {
        if (mark === '<') return '&lt;'
        if (kind === undefined) return '\\!'
        const from = start + at + 2 + space.length
        return leadsElsewhere(markdown.slice(from, from + LONGEST_SCHEME), kind === '(') ? `${mark}\\` : mark
      },
    )
}

/**
 * Whether the beginning of an address has a scheme that is not allowed. Decoded until nothing changes: some renderers leave that to the
 * browser.
 */
function leadsElsewhere(beginning: string, isInParentheses: boolean): boolean {
  const [word = ''] = isInParentheses || beginning.startsWith('<') ? [beginning] : beginning.split(/\s/, 1)
  const isCut = beginning.length === LONGEST_SCHEME
  let decoded = isCut ? word.replace(/&[^;]*$/, '') : word
  for (let before = ''; before !== decoded; ) {
    before = decoded
    decoded = decodeString(decoded)
  }
  // ignores what browsers strip, and what is invisible
  const seen = decoded.replace(/[\s\p{C}]/gu, '')
  const [, scheme = '', end] = /^<?([^:/?#()[\]"'<>]*)(.?)/.exec(seen) ?? []
  if (end === ':') return !SAFE_SCHEMES.has(scheme.toLowerCase())
  return end === '' && isCut
}

interface Style {
  as: TranscriptQuery['as']
  /** Adds who and when: a message that is copied alone needs no heading. */
  hasHead: boolean
}

/** The chosen part of a session as text. `hasHeads`: adds who and when; a message that is copied alone needs no heading. */
export async function writeTranscript(
  chosen: AsyncIterable<CutMessage>,
  { as, hasHeads }: { as: TranscriptQuery['as']; hasHeads: boolean },
): Promise<string> {
  const blocks: string[] = []
  for await (const { message, fate, closing } of chosen) {
    const text =
      message === null ? '' : messageTranscript({ ...message, superseded: fate }, { as, hasHead: hasHeads })
    if (text !== '') blocks.push(text)
    if (closing !== null) blocks.push(as === 'markdown' ? callingNobody(`**${closing}**`) : closing)
  }
  return `${blocks.join('\n\n')}\n`
}

/** A message with its thoughts and calls; '' if it has no content of its own. */
function messageTranscript(message: Message, { as, hasHead }: Style): string {
  const isMarkdown = as === 'markdown'
  const blocks = [
    ...message.thoughts.map((thought) => thoughtText(thought, isMarkdown)),
    ...message.content.map((part) => partText(part, isMarkdown)),
    ...message.attachments.map(({ path, text }) =>
      labelled(path === '' ? 'Context' : `Attached: ${path}`, text, isMarkdown),
    ),
    ...message.toolCalls.map((call) => callText(call, isMarkdown)),
  ].filter((block) => block.trim() !== '')
  if (blocks.length === 0) return ''
  const all = [...(hasHead ? [headText(message, isMarkdown)] : []), ...blocks]
  return isMarkdown ? joinBlocks(all) : all.join('\n\n')
}

function headText(message: Message, isMarkdown: boolean): string {
  const { timestamp, model, superseded } = message
  const facts = [speakerOf(message), model, timestamp, superseded].filter((fact) => fact !== null)
  return isMarkdown ? callingNobody(`## ${facts.join(', ')}`) : facts.join(', ')
}

function thoughtText({ subject, description }: Thought, isMarkdown: boolean): string {
  if (!isMarkdown) return [`(Thought) ${subject}`.trim(), description].filter(Boolean).join('\n')
  const lines = [`**Thought${subject === '' ? '' : `: ${subject}`}**`, ...description.split('\n')]
  return callingNobody(lines.map((line) => `> ${line}`.trimEnd()).join('\n'))
}

function partText(part: Part, isMarkdown: boolean): string {
  switch (part.kind) {
    case 'text':
      return isMarkdown ? callingNobody(part.text) : part.text
    case 'code': {
      const code = isMarkdown ? codeBlock(part.code, part.language ?? '') : part.code
      return part.output === null ? code : `${code}\n\n${isMarkdown ? codeBlock(part.output) : part.output}`
    }
    case 'unknown':
      return isMarkdown
        ? codeBlock(JSON.stringify(part.json, null, 2), 'json')
        : JSON.stringify(part.json, null, 2)
    default: {
      const name = `[${part.kind}, ${part.mimeType}${part.uri === null ? '' : `, ${part.uri}`}]`
      return isMarkdown ? callingNobody(name) : name
    }
  }
}

function callText(call: ToolCall, isMarkdown: boolean): string {
  const exit = call.exitCode === null ? '' : `, exit ${call.exitCode}`
  const end = [`${call.failed ? 'failed' : call.status}${exit}`, ...fateWords(call)].join(', ')
  const title = `${toolLabel(call.name)} (${end})`
  const args = JSON.stringify(call.args, null, 2) ?? ''
  const output = resultText(call)
  const language = call.display?.kind === 'diff' ? 'diff' : ''
  const beside = call.extraParts.map((part) => partText(part, isMarkdown))
  if (!isMarkdown) return [title, args, output, ...beside].filter((text) => text !== '').join('\n')
  const blocks = [
    callingNobody(`**${title}**`),
    codeBlock(args, 'json'),
    output === '' ? '' : codeBlock(output, language),
    ...beside,
  ]
  return joinBlocks(blocks.filter((text) => text !== ''))
}

function labelled(label: string, text: string, isMarkdown: boolean): string {
  return isMarkdown ? `${callingNobody(`**${label}**`)}\n\n${codeBlock(text)}` : `${label}\n${text}`
}
