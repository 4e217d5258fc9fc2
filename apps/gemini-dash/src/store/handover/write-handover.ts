import type { Handover, HandoverQuery } from '@gemini-dash/api'
import { formatPlural } from '@gemini-dash/api/figures'
import { SOURCE_NAMES } from '@gemini-dash/api/source-names'
import { tokenWeight } from '@gemini-dash/api/token-bound'
import { verdictParts } from '@gemini-dash/api/verdict-words'
import { type RedactOptions, redactText } from '@gemini-dash/redact'
import type { SessionSummary, TouchedFile, Verdict } from 'gemini-sessions'
import {
  answerItems,
  type Clock,
  commandItems,
  exchangeItems,
  failureItems,
  fileItems,
  fitSections,
  memoryItems,
  named,
  promptItems,
  type Section,
  taskItems,
  type Writing,
  weigh,
} from './handover-items.ts'
import type { SessionNotes } from './session-notes.ts'

/** Share of the budget for the introductory lines. */
const HEAD_SHARE = 0.25
/** Least budget with a summary of what was left out; with less, only `leftOut` has it. */
const LEAST_ROOM_WITH_END = 150
/** The numbers may take more tokens once they are known. */
const END_SPARE = 6
/** For one line of the head. */
const LINE_ROOM = 110
/** Enough for every sentence about an end. */
const VERDICT_ROOM = 400
const MOST_AGENTS = 5

/** A session's row, and what was found in its messages. */
export interface HandoverSources {
  summary: SessionSummary
  notes: SessionNotes
  /** Files touched by its sub-agents. */
  agentFiles: readonly TouchedFile[]
  /** Based on the whole session; null: no redaction. */
  redaction: RedactOptions | null
}

/**
 * What another agent needs to continue, in at most that many tokens: the most important of what was asked, decided, done and left open.
 * Text after `> ` and in backticks is recorded; everything else is our own wording.
 */
export function writeHandover(sources: HandoverSources, { budget }: Pick<HandoverQuery, 'budget'>): Handover {
  const writing = { clean: cleaner(sources.redaction), clock: clockFrom(sources.summary.startTime) }
  const head = writeHead(sources, writing, budget * HEAD_SHARE)
  const room = Math.floor(budget - weigh(head))
  const sections = sectionsOf(sources, writing)
  const whole = fitSections(sections, room)
  const end = room < LEAST_ROOM_WITH_END ? '' : writeEnd(whole.leftOut)
  const { texts, leftOut } = end === '' ? whole : fitSections(sections, room - weigh(end) - END_SPARE)
  const text = [head, ...inReadingOrder(texts), end === '' ? '' : writeEnd(leftOut)].join('').trimStart()
  return { text, tokens: Math.ceil(tokenWeight(text)), leftOut }
}

function cleaner(redaction: RedactOptions | null): Writing['clean'] {
  return redaction === null ? (text) => text : (text) => redactText(text, redaction).text
}

/** The date is stated once, in the head. All times are UTC. */
function clockFrom(startTime: string | null): Clock {
  const [startDate = ''] = splitTime(startTime)
  return (timestamp) => {
    const [date, clock] = splitTime(timestamp)
    if (date === undefined || clock === undefined) return 'no time recorded'
    if (date === startDate) return clock
    return date.slice(0, 5) === startDate.slice(0, 5) ? `${date.slice(5)} ${clock}` : `${date} ${clock}`
  }
}

/** `2026-11-20` and `09:10`; empty if it is not a time. */
function splitTime(timestamp: string | null): string[] {
  const found = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})/.exec(timestamp ?? '')
  return found === null ? [] : found.slice(1)
}

/** Most important first. */
function sectionsOf({ notes, agentFiles, summary }: HandoverSources, writing: Writing): Section[] {
  const isTask = summary.kind === 'subagent'
  return [
    {
      title: isTask ? 'The task' : 'What was asked',
      counts: 'prompts',
      share: 26,
      itemRoom: 4_500,
      items: promptItems(notes.exchanges, writing),
    },
    {
      title: 'The last exchanges',
      counts: 'exchanges',
      share: 26,
      itemRoom: 2_200,
      items: exchangeItems(notes.exchanges, writing),
    },
    {
      title: 'Open failures',
      counts: 'errors',
      share: 14,
      itemRoom: 500,
      items: failureItems(notes, writing),
    },
    {
      title: 'The last list of tasks',
      counts: 'tasks',
      share: 8,
      itemRoom: 120,
      items: taskItems(notes, writing),
    },
    {
      title: 'What the person decided',
      counts: 'answers',
      share: 7,
      itemRoom: 200,
      items: answerItems(notes, writing),
    },
    {
      title: 'Files changed',
      counts: 'files',
      share: 10,
      itemRoom: 160,
      items: fileItems(notes.edits, agentFiles, writing),
    },
    {
      title: 'Saved to memory',
      counts: 'memories',
      share: 3,
      itemRoom: 120,
      items: memoryItems(notes, writing),
    },
    {
      title: 'Commands that worked',
      counts: 'commands',
      share: 6,
      itemRoom: 300,
      items: commandItems(notes, writing),
    },
  ]
}

/** The original task first, the last exchanges at the end. */
function inReadingOrder(texts: readonly string[]): string[] {
  const [asked = '', exchanges = '', failures = '', tasks = '', answers = '', ...others] = texts
  return [asked, answers, tasks, failures, ...others, exchanges]
}

/** As many of these lines as fit. */
function writeHead({ summary, notes }: HandoverSources, { clean, clock }: Writing, most: number): string {
  const { key, source, title, project, startTime, endTime, subagentKeys, buried, live, verdict } = summary
  const code = (text: string, facts: string) => named(clean(text), facts, LINE_ROOM)?.text ?? ''
  const start = startTime === null ? [] : [splitTime(startTime).join(' ')]
  const end = endTime === null || endTime === startTime ? [] : [clock(endTime)]
  const span = [...start, ...end].filter(Boolean).join(' to ')
  const agents = subagentKeys.slice(0, MOST_AGENTS).map((agent) => `\`${agent}\``)
  const more = subagentKeys.length > agents.length ? ' and more' : ''
  const lines = [
    `# Brief of ${source === 'antigravity-cli' ? 'an' : 'a'} ${SOURCE_NAMES[source]} session for another agent`,
    '',
    title.trim() === '' ? '' : code(title, 'its title'),
    code(key, span === '' ? 'its key' : `its key, ${span} UTC`),
    code(project.path ?? project.name, 'its project'),
    notes.exchanges.length === 0 ? '- No prompt and no answer is recorded.' : '',
    buried ? '- No message is live anymore; this is its last conversation.' : '',
    verdict === null ? '' : endLine(verdict, { clean, clock }),
    live ? '- It was still being written when this was made.' : '',
    agents.length === 0
      ? ''
      : `- ${formatPlural(subagentKeys.length, 'sub-agent')}: ${agents.join(', ')}${more}`,
    '- Text after > and in backticks is quoted from the record.',
  ]
  let text = ''
  let room = most
  for (const [at, line] of lines.entries()) {
    if (line === '' && at !== 1) continue
    room -= weigh(line)
    if (room < 0) break
    text += `${line}\n`
  }
  return text
}

/** The sentence of all other surfaces, in backticks, because recorded text is part of it. */
function endLine(verdict: Verdict, { clean, clock }: Writing): string {
  const writeClock = (iso: string, precision: 'minutes' | 'seconds') =>
    `${clock(iso)}${precision === 'seconds' ? iso.slice(16, 19) : ''}`
  const { opening, rest } = verdictParts(verdict, writeClock)
  return named(clean(`${opening} ${rest}`), 'how it ended', VERDICT_ROOM)?.text ?? ''
}

function writeEnd({ shortened, ...leftOut }: Handover['leftOut']): string {
  const nouns: [count: number, noun: string, many?: string][] = [
    [leftOut.prompts, 'prompt'],
    [leftOut.answers, 'answer of the person', 'answers of the person'],
    [leftOut.tasks, 'task'],
    [leftOut.exchanges, 'exchange'],
    [leftOut.memories, 'memory', 'memories'],
    [leftOut.files, 'file'],
    [leftOut.errors, 'failure'],
    [leftOut.commands, 'command'],
  ]
  const missing = nouns.flatMap(([count, noun, many]) => (count === 0 ? [] : formatPlural(count, noun, many)))
  const parts = [
    ...(missing.length === 0 ? [] : [`Left out: ${missing.join(', ')}.`]),
    ...(shortened === 0 ? [] : [`Shortened: ${formatPlural(shortened, 'text')}.`]),
  ]
  return parts.length === 0 ? '' : `\n---\n\n- ${parts.join(' ')}\n`
}
