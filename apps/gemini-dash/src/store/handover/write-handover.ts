import type { Handover, HandoverQuery } from '@gemini-dash/api'
import { formatPlural } from '@gemini-dash/api/figures'
import { type RedactOptions, redactText } from '@gemini-dash/redact'
import type { SessionSummary, TouchedFile } from 'gemini-sessions'
import { exchangeItems } from './exchange-items.ts'
import { fitSections, type Section } from './fit-sections.ts'
import { type Clean, commandItems, failureItems, fileItems, promptItems } from './handover-items.ts'
import { bytesOf, named } from './quote.ts'
import type { SessionNotes } from './session-notes.ts'

const BYTES_PER_TOKEN = 4
/** Of the budget, for the lines that say what this is. */
const HEAD_SHARE = 0.25
/** What says at the end what was left out; a smaller budget leaves that to `leftOut`. */
const END_BYTES = 200
const MOST_AGENTS = 5

/** A session's row, and what was seen in its messages. */
export interface HandoverSources {
  summary: SessionSummary
  notes: SessionNotes
  /** With what the whole session tells; null: nothing is taken out. */
  redaction: RedactOptions | null
  /** What its sub-agents did to files. */
  agentFiles: readonly TouchedFile[]
}

/**
 * What another agent needs to go on, in at most so many tokens: the most telling of what was asked, done and left open. What
 * stands behind `> ` and in backticks is recorded; the rest are words of ours around it.
 */
export function writeHandover(sources: HandoverSources, { budget }: Pick<HandoverQuery, 'budget'>): Handover {
  const maxBytes = budget * BYTES_PER_TOKEN
  const { redaction } = sources
  const clean: Clean = redaction === null ? (text) => text : (text) => redactText(text, redaction).text
  const head = writeHead(sources, clean, Math.floor(maxBytes * HEAD_SHARE))
  const room = maxBytes - bytesOf(head)
  const hasEnd = room > END_BYTES * 4
  const { texts, leftOut } = fitSections(sectionsOf(sources, clean), hasEnd ? room - END_BYTES : room)
  const text = [head, ...inReadingOrder(texts), hasEnd ? writeEnd(leftOut) : ''].join('').trimStart()
  return { text, tokens: Math.ceil(bytesOf(text) / BYTES_PER_TOKEN), leftOut }
}

/** The most telling first. */
function sectionsOf({ notes, agentFiles, summary }: HandoverSources, clean: Clean): Section[] {
  const isTask = summary.kind === 'subagent'
  return [
    {
      title: isTask ? 'The task' : 'What was asked',
      counts: 'prompts',
      share: 30,
      itemBytes: 16_000,
      items: promptItems(notes.exchanges, clean),
    },
    {
      title: 'The last exchanges',
      counts: 'exchanges',
      share: 30,
      itemBytes: 8_000,
      items: exchangeItems(notes.exchanges, clean),
    },
    {
      title: 'Open errors',
      counts: 'errors',
      share: 15,
      itemBytes: 1_600,
      items: failureItems(notes, clean),
    },
    {
      title: 'Files, and what stands in their last recorded state',
      counts: 'files',
      share: 15,
      itemBytes: 600,
      items: fileItems(notes.edits, agentFiles, clean),
    },
    {
      title: 'Commands that worked',
      counts: 'commands',
      share: 10,
      itemBytes: 600,
      items: commandItems(notes, clean),
    },
  ]
}

/** What was asked first, what was said last at the end. */
function inReadingOrder([asked = '', exchanges = '', errors = '', files = '', commands = '']: string[]) {
  return [asked, files, errors, commands, exchanges]
}

/** As many of these lines as fit. */
function writeHead({ summary, notes }: HandoverSources, clean: Clean, maxBytes: number): string {
  const { key, title, project, startTime, endTime, subagentKeys, buried, live } = summary
  const code = (text: string, facts: string) => named(clean(text), facts, 400)?.text ?? ''
  const span = [startTime, endTime].filter((time) => time !== null).join(' to ')
  const agents = subagentKeys.slice(0, MOST_AGENTS).map((agent) => `\`${agent}\``)
  const more = subagentKeys.length > agents.length ? ' and more' : ''
  const lines = [
    '# Hand-over of a Gemini CLI session',
    '',
    title.trim() === '' ? '' : code(title, 'its title'),
    code(key, ['its key', span].filter(Boolean).join(', ')),
    code(project.path ?? project.name, 'its project'),
    notes.exchanges.length === 0 ? '- No prompt and no answer is recorded.' : '',
    buried ? '- Nothing of it is live any more; this is its last conversation.' : '',
    live ? '- It was still being written when this was made.' : '',
    agents.length === 0
      ? ''
      : `- ${formatPlural(subagentKeys.length, 'sub-agent')}: ${agents.join(', ')}${more}`,
    '- What stands behind > and in backticks is quoted from the record, the rest says where.',
  ]
  let text = ''
  for (const [at, line] of lines.entries()) {
    if (line === '' && at !== 1) continue
    if (bytesOf(text) + bytesOf(line) + 1 > maxBytes) break
    text += `${line}\n`
  }
  return text
}

function writeEnd({ shortened, ...leftOut }: Handover['leftOut']): string {
  const nouns: [number, string][] = [
    [leftOut.prompts, 'prompt'],
    [leftOut.exchanges, 'exchange'],
    [leftOut.files, 'file'],
    [leftOut.errors, 'error'],
    [leftOut.commands, 'command'],
  ]
  const missing = nouns.flatMap(([count, noun]) => (count === 0 ? [] : formatPlural(count, noun)))
  const parts = [
    ...(missing.length === 0 ? [] : [`Left out: ${missing.join(', ')}.`]),
    ...(shortened === 0 ? [] : [`Shortened: ${formatPlural(shortened, 'text')}.`]),
  ]
  return parts.length === 0 ? '' : `\n---\n\n- ${parts.join(' ')}\n`
}
