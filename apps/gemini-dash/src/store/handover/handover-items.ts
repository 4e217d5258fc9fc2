import type { Handover } from '@gemini-dash/api'
import { EDIT_DOUBT_WORDS, EDIT_STATE_WORDS } from '@gemini-dash/api/change-words'
import { formatPlural } from '@gemini-dash/api/figures'
import { tokenWeight } from '@gemini-dash/api/token-bound'
import { toolLabel } from '@gemini-dash/api/tool-label'
import { FATE_WORDS } from '@gemini-dash/api/verdict-words'
import {
  isCommand,
  type Part,
  type SessionEdit,
  type ToolCall,
  type ToolOutput,
  type TouchedFile,
  tellingLine,
  withoutFrame,
} from 'gemini-sessions'
import { type Exchange, type OpenRuns, type SessionNotes, subjectOf } from './session-notes.ts'

// All sizes are in tokens, as counted by `tokenWeight`.

/** Only this many of the last calls of an answer are listed. */
const MOST_CALLS = 60
/** For the prompt above an answer; the prompt itself is quoted in full in its own section. */
const ASKED_ROOM = 110
/** For `- Called:` and the line breaks around it. */
const CALLED_ROOM = 6
/** For the line that counts the earlier calls. */
const CALLS_BEFORE_ROOM = 12
/** For a sub-agent's result below its call. */
const RESULT_ROOM = 220
/** For the line of a call, without its result. */
const CALL_ROOM = 90

function callRoom(room: number): number {
  return Math.min(room, Math.max(CALL_ROOM, room / 3))
}

/** Newest first. A prompt without an answer appears only among the prompts. */
export function exchangeItems(exchanges: readonly Exchange[], { clean, clock }: Writing): Item[] {
  return exchanges
    .flatMap(({ timestamp, asked, answered, calls, isHeld }, place): Item[] => {
      if (!isHeld) return [{ place, write: () => null }]
      if (answered === '' && calls.length === 0) return []
      const recorded = lazily(() => ({
        head: `### ${clock(timestamp)}`,
        asked: clean(asked),
        answered: clean(answered),
        calls: calls.slice(-MOST_CALLS).map((call) => writeCall(call, clean)),
        callsBefore: Math.max(calls.length - MOST_CALLS, 0),
      }))
      return [{ place, write: (room) => writeExchange(recorded(), room) }]
    })
    .reverse()
}

/** A call's line, and what a sub-agent reported; '' if nothing. */
interface WrittenCall {
  line: string
  report: string
}

/** An exchange after redaction. */
interface RecordedExchange {
  head: string
  asked: string
  answered: string
  calls: readonly WrittenCall[]
  /** Number of calls before those in `calls`. */
  callsBefore: number
}

/** Tries the whole exchange first, without reserving room for marks: its room may be exactly what the whole takes. */
function writeExchange(exchange: RecordedExchange, most: number): Piece | null {
  const { head, asked, answered, calls, callsBefore } = exchange
  const whole = joined(head, [
    quotedPrompt(asked, ASKED_ROOM),
    below('- Called:', writeCalls(calls, callsBefore, Number.POSITIVE_INFINITY)),
    quotedBelow('- Answered:', answered, Number.POSITIVE_INFINITY),
  ])
  if (whole !== null && weigh(whole.text) <= most) return whole
  let room = most - weigh(head)
  const taking = (piece: Piece | null) => {
    room -= piece === null ? 0 : weigh(piece.text)
    return piece
  }
  const prompt = taking(quotedPrompt(asked, Math.min(ASKED_ROOM, room / 4)))
  const answer = taking(quotedBelow('- Answered:', answered, room * (calls.length > 0 ? 0.7 : 1)))
  const called = below('- Called:', writeCalls(calls, callsBefore, room - CALLED_ROOM))
  const shortened = joined(head, [prompt, called, answer])
  return shortened && { ...shortened, isShortened: true }
}

/** The beginning is enough here. */
function quotedPrompt(asked: string, most: number): Piece | null {
  const prompt = quotedBelow('- Asked:', asked, most)
  return prompt && { ...prompt, isShortened: false }
}

function joined(head: string, pieces: readonly (Piece | null)[]): Piece | null {
  const written = pieces.filter((piece) => piece !== null)
  if (written.length === 0) return null
  return {
    text: [head, ...written.map(({ text }) => text)].join('\n'),
    isShortened: written.some(({ isShortened }) => isShortened),
  }
}

/** The last ones, with the number of earlier ones. */
function writeCalls(calls: readonly WrittenCall[], callsBefore: number, most: number): Piece | null {
  let room = most - CALLS_BEFORE_ROOM
  let isShortened = false
  const lines: string[] = []
  for (const { line, report } of calls.toReversed()) {
    room -= weigh(line)
    if (room < 0) break
    const quotedReport = report === '' ? null : quote(report, Math.min(RESULT_ROOM, room))
    room -= quotedReport === null ? 0 : weigh(quotedReport.text)
    isShortened ||= report !== '' && quotedReport === null
    lines.push(quotedReport === null ? line : `${line}\n${quotedReport.text}`)
  }
  if (lines.length === 0) return null
  const before = callsBefore + calls.length - lines.length
  if (before > 0) lines.push(`- (${formatPlural(before, 'call')} before)`)
  return { text: lines.reverse().join('\n'), isShortened: isShortened || before > 0 }
}

function writeCall(call: ToolCall, clean: Clean): WrittenCall {
  const facts = factsOf(call)
  const subject = clean(subjectOf(call)).trim()
  const line = subject === '' ? `- ${facts}` : (named(subject, facts, CALL_ROOM)?.text ?? `- ${facts}`)
  const result = [call.output, call.display].find((output) => output?.kind === 'subagent')
  const report = result?.kind === 'subagent' ? clean(result.result ?? '').trim() : ''
  return { line, report }
}

/** One entry of a section. `write` renders it in at most that many tokens; null: not possible. */
interface Item {
  /** Its position among the others of its section. */
  place: number
  write: (room: number) => Piece | null
}

export interface Section {
  title: string
  counts: Exclude<keyof Handover['leftOut'], 'shortened'>
  /** Minimum share of the budget, relative to the other sections. */
  share: number
  /** The most an item may use while others wait. */
  itemRoom: number
  /** Most important first. */
  items: Item[]
}

interface Fitted {
  /** The rendered sections; '' if nothing of one fits. */
  texts: string[]
  leftOut: Handover['leftOut']
}

/** With less room, a section is of no use. */
const LEAST_ROOM = 35

/**
 * The parts of these sections that fit. The first is the most important: if there is little room, it gets all of it. Each gets at least its
 * share, and what one does not need goes to the others.
 */
export function fitSections(sections: readonly Section[], most: number): Fitted {
  const rooms = shareOut(sections, most)
  let spare = 0
  const filled = sections.map((section, at) => {
    const room = (rooms[at] ?? 0) + spare
    const fill = fillSection(section, room, section.itemRoom)
    spare = room - fill.size
    return fill
  })
  spare += most - rooms.reduce((sum, room) => sum + room, 0)
  // the remaining room goes to what had to be cut
  for (const [at, section] of sections.entries()) {
    const before = filled[at]
    if (before === undefined || (before.written === section.items.length && before.shortened === 0)) continue
    const fill = fillSection(section, before.size + spare, Number.POSITIVE_INFINITY)
    if (fill.written < before.written || fill.size <= before.size) continue
    spare += before.size - fill.size
    filled[at] = fill
  }
  const leftOut = {
    ...{ prompts: 0, answers: 0, tasks: 0, memories: 0, exchanges: 0, files: 0, errors: 0, commands: 0 },
    shortened: filled.reduce((sum, { shortened }) => sum + shortened, 0),
  }
  for (const [at, { counts, items }] of sections.entries())
    leftOut[counts] += items.length - (filled[at]?.written ?? 0)
  return { texts: filled.map(({ text }) => text), leftOut }
}

/** Tokens for each section; together at most the total. */
function shareOut(sections: readonly Section[], most: number): number[] {
  const needs = sections.map((section) => neededRoom(section, most))
  const rooms = sections.map(() => 0)
  let waiting = sections.flatMap(({ share }, at) => ((needs[at] ?? 0) > 0 ? [{ at, share }] : []))
  let left = most
  while (waiting.length > 0) {
    const shares = waiting.reduce((sum, { share }) => sum + share, 0)
    const portion = ({ share }: { share: number }) => Math.floor((left * share) / shares / GRAIN) * GRAIN
    const content = waiting.filter((section) => (needs[section.at] ?? 0) <= portion(section))
    if (content.length === 0) {
      const isTooSmall = waiting.length > 1 && waiting.some((section) => portion(section) < LEAST_ROOM)
      if (!isTooSmall) {
        for (const section of waiting) rooms[section.at] = portion(section)
        return rooms
      }
      waiting = waiting.slice(0, -1)
    }
    for (const { at } of content) {
      rooms[at] = needs[at] ?? 0
      left -= rooms[at] ?? 0
    }
    waiting = waiting.filter((section) => !content.includes(section))
  }
  return rooms
}

/** What it needs for all its items; not exact above the total. */
function neededRoom({ title, items, itemRoom }: Section, most: number): number {
  if (items.length === 0) return 0
  let sum = headRoom(title)
  for (const { write } of items) {
    if (sum > most) break
    const said = write(itemRoom)
    sum += said === null ? 0 : weigh(said.text)
  }
  return sum
}

function fillSection({ title, items }: Section, room: number, itemRoom: number) {
  const written: { place: number; text: string }[] = []
  const head = headRoom(title)
  let left = room - head
  let shortened = 0
  for (const { place, write } of items) {
    const said = left < 1 ? null : write(Math.min(itemRoom, left))
    if (said === null) continue
    written.push({ place, text: said.text })
    left -= weigh(said.text)
    if (said.isShortened) shortened++
  }
  if (written.length === 0) return { text: '', written: 0, shortened: 0, size: 0 }
  const lines = written.toSorted((one, other) => one.place - other.place).map(({ text }) => text)
  const text = `\n## ${title}\n\n${lines.join('\n')}\n`
  return { text, written: written.length, shortened, size: room - left }
}

/** Includes the lines around it. */
function headRoom(title: string): number {
  return weigh(`\n## ${title}\n`)
}

/** A rendered piece of the brief, and whether it was shortened. */
interface Piece {
  text: string
  isShortened: boolean
}

/** A longer line is cut to fill the room; a shorter one is left out, which leaves room for what follows. */
const LONG_LINE = 40
/** The least that must remain of a line that is cut. */
const LEAST_QUOTE_ROOM = 8
/** For a line that states how much is missing. */
const MARK_ROOM = 14
/** No token is longer, so a text that exceeds its room need not be weighed in full. */
const LETTERS_OF_A_TOKEN = 20

/**
 * A recorded text in at most that many tokens, each line after `> `, from its first line or, if `from` is given, around that line. Lines of
 * our own count what is missing, so that every quoted line is verbatim. null: nothing of it fits.
 */
function quote(text: string, most: number, from = 0): Piece | null {
  const lines = text.trim().split(/\r\n|\r|\n/)
  if (text.length <= most * LETTERS_OF_A_TOKEN) {
    const whole = lines.map(quoted).join('\n')
    if (weigh(whole) <= most) return { text: whole, isShortened: false }
  }
  let room = most - MARK_ROOM * (from > 0 ? 2 : 1)
  let [first, end] = [from, from]
  // the lines after are more informative than those before
  for (let side = 0; first > 0 || end < lines.length; side++) {
    const at = end < lines.length && (side % 3 < 2 || first === 0) ? end : first - 1
    const line = lines[at]
    const size = line === undefined ? 0 : lineWeight(line, room)
    if (line === undefined || size > room) break
    room -= size
    if (at === end) end++
    else first--
  }
  const next = lines[end] ?? ''
  const part = first === end || lineWeight(next, LONG_LINE) > LONG_LINE ? cut(next, room) : null
  if (first === end && part === null) return null
  const before = lettersOf(lines.slice(0, first))
  const behind = lettersOf(lines.slice(end)) - (part === null ? 0 : part.length + 1)
  const parts = [
    ...(before > 0 ? [markOf(before)] : []),
    ...lines.slice(first, end).map(quoted),
    ...(part === null ? [] : [quoted(part)]),
    ...(behind > 0 ? [markOf(behind)] : []),
  ]
  return { text: parts.join('\n'), isShortened: true }
}

function lettersOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0)
}

function markOf(letters: number): string {
  return `- (${letters} more characters)`
}

/** Need not be exact above the room. */
function lineWeight(line: string, room: number): number {
  return line.length > room * LETTERS_OF_A_TOKEN ? Number.POSITIVE_INFINITY : weigh(quoted(line))
}

/** A recorded text below a line of our own, in at most that many tokens. null: it is empty, or nothing of it fits. */
function quotedBelow(head: string, text: string, most: number, from = 0): Piece | null {
  return text === '' ? null : below(head, quote(text, most - weigh(head), from))
}

/** null if there is nothing to put below it. */
function below(head: string, written: Piece | null): Piece | null {
  return written && { ...written, text: `${head}\n${written.text}` }
}

/** A recorded text of one line in backticks, followed by our facts; of several lines, quoted below the facts. */
export function named(text: string, facts: string, most: number): Piece | null {
  const only = text.trim()
  const behind = facts === '' ? '' : ` (${facts})`
  if (!/[\r\n]/.test(only) && only.length <= most * LETTERS_OF_A_TOKEN) {
    const line = `- ${inBackticks(only)}${behind}`
    if (weigh(line) <= most) return { text: line, isShortened: false }
  }
  const head = `- ${facts === '' ? 'this' : facts}:`
  const body = quote(only, most - weigh(head))
  return body && { ...body, text: `${head}\n${body.text}` }
}

/** Sums of such fractions are exact. */
const GRAIN = 1 / 64

/** Tokens of one or more lines, including line breaks: a text weighs exactly as much as its lines. */
export function weigh(text: string): number {
  const ofLine = (line: string) => Math.ceil(tokenWeight(`${line}\n`) / GRAIN) * GRAIN
  return text.split('\n').reduce((sum, line) => sum + ofLine(line), 0)
}

/** Uses more backticks than any run inside. */
function inBackticks(text: string): string {
  let longest = 0
  for (const [ticks] of text.matchAll(/`+/g)) longest = Math.max(longest, ticks.length)
  const ticks = '`'.repeat(longest + 1)
  return longest === 0 ? `${ticks}${text}${ticks}` : `${ticks} ${text} ${ticks}`
}

function quoted(line: string): string {
  return `> ${line}`.trimEnd()
}

/** The beginning of a line, as much as fits, never cut inside a character. null: too little room to be useful. */
function cut(line: string, room: number): string | null {
  if (room < LEAST_QUOTE_ROOM) return null
  let [fits, end] = [0, Math.min(line.length, Math.ceil(room * LETTERS_OF_A_TOKEN))]
  while (fits < end) {
    const middle = Math.ceil((fits + end) / 2)
    if (weigh(quoted(line.slice(0, middle))) <= room) fits = middle
    else end = middle - 1
  }
  const isInside = /[\ud800-\udbff]/.test(line.charAt(fits - 1))
  return line.slice(0, isInside ? fits - 1 : fits).trimEnd() || null
}

/** Applied to a text before any of it is written: redaction, or nothing. */
export type Clean = (text: string) => string

export interface Writing {
  clean: Clean
  clock: Clock
}

/** How a time is written: `09:10`, or `11-21 09:10` on another day than the session's start. */
export type Clock = (timestamp: string | null) => string

/** For prompts other than the first, the second and the last. */
const MIDDLE_PROMPT_ROOM = 90

/** Commands of the CLI and of its shell mode say little about the task. */
const NOT_SPOKEN = /^(?:[/?!]|I ran the following shell command:)/

/** The first prompt, the last, the second, then backwards from the end; commands to the CLI come last. */
export function promptItems(exchanges: readonly Exchange[], { clean, clock }: Writing): Item[] {
  const asked = exchanges.flatMap(({ asked: text, timestamp }, place) =>
    text === '' ? [] : [{ text, timestamp, place }],
  )
  const spoken = asked.filter(({ text }) => !NOT_SPOKEN.test(text))
  const [first, second, ...others] = spoken
  const last = others.pop()
  const order = [first, last, second, ...others.reverse(), ...asked.filter((each) => !spoken.includes(each))]
  return order.flatMap((prompt, rank) => {
    if (prompt === undefined) return []
    const text = lazily(() => clean(prompt.text))
    const head = `- ${clock(prompt.timestamp)}:`
    const most = (room: number) => (rank < 3 ? room : Math.max(MIDDLE_PROMPT_ROOM, room / 2))
    return {
      place: prompt.place,
      write: (room) => quotedBelow(head, text(), Math.min(room, most(room))),
    }
  })
}

/** The person's decisions, newest first. */
export function answerItems({ answers }: SessionNotes, { clean, clock }: Writing): Item[] {
  return answers
    .map(({ question, answer, timestamp }, place): Item => {
      const texts = lazily(() => ({ asked: clean(question), said: clean(answer) }))
      return {
        place,
        write: (room) => {
          const { asked, said } = texts()
          const write = (most: number) =>
            asked.trim() === '' ? null : named(asked, `asked, ${clock(timestamp)}`, most)
          const body = named(said, 'the answer', room)
          const whole = write(Number.POSITIVE_INFINITY)
          const left = body === null ? 0 : room - weigh(body.text)
          const head = whole === null || weigh(whole.text) <= left ? whole : write(left)
          if (body === null || head === null) return body
          return {
            text: `${head.text}\n${body.text}`,
            isShortened: head.isShortened || body.isShortened,
          }
        },
      }
    })
    .reverse()
}

/** The last list, open tasks first. */
export function taskItems({ tasks }: SessionNotes, { clean }: Writing): Item[] {
  const items = tasks.map(({ description, status }, place) => ({
    isDone: status === 'completed' || status === 'cancelled',
    item: {
      place,
      write: (room: number) => named(clean(description), status.replace(/[^\w ]|_/g, ' ').slice(0, 40), room),
    },
  }))
  const open = items.filter(({ isDone }) => !isDone)
  return [...open, ...items.filter(({ isDone }) => isDone)].map(({ item }) => item)
}

/** What was to be remembered, newest first. */
export function memoryItems({ memories }: SessionNotes, { clean, clock }: Writing): Item[] {
  return memories
    .map(({ fact, timestamp }, place): Item => {
      const text = lazily(() => clean(fact))
      return { place, write: (room) => named(text(), `saved ${clock(timestamp)}`, room) }
    })
    .reverse()
}

/** A tool that does not exist, or a missing file: an attempt, rarely something to fix. */
const MISSED = /\bnot found\b|no such file|does not exist|ENOENT/i

/** Checks first, newest first, each with its output. */
export function failureItems({ open, refusal }: SessionNotes, writing: Writing): Item[] {
  const isMissed = ({ call }: OpenRuns) => !isCommand(call) && MISSED.test(outputText(call.output))
  const newest = open.toReversed()
  const runs = [...newest.filter((each) => !isMissed(each)), ...newest.filter(isMissed)]
  const items = runs.map((each, place) => failureItem(each, place, writing))
  if (refusal === null) return items
  const said = lazily(() => writing.clean(refusal).trim())
  const write = (room: number) => quotedBelow('- The API refused the last request:', said(), room)
  return [{ place: -1, write }, ...items]
}

function failureItem(runs: OpenRuns, place: number, { clean, clock }: Writing): Item {
  const { call, broader } = runs
  const texts = lazily(() => ({
    subject: clean(subjectOf(call)),
    said: withoutFrame(clean(outputText(call.output))).trim(),
    passed: broader === null ? '' : clean(broader.command),
  }))
  const facts = openFacts(runs, clock)
  const write = (room: number): Piece | null => {
    const { subject, said, passed } = texts()
    const head = subject.trim() === '' ? null : named(subject, facts, callRoom(room))
    const later =
      broader === null ? null : named(passed, `passed later, ${clock(broader.timestamp)}`, CALL_ROOM)
    const lines = [head?.text ?? `- ${facts}`, ...(later === null ? [] : [later.text])].join('\n')
    const left = room - weigh(lines)
    const quotation = quotedBelow('- It said:', said, left, isCommand(call) ? tellingPlace(said) : 0)
    const text = quotation === null ? lines : `${lines}\n${quotation.text}`
    return weigh(text) > room ? null : { text, isShortened: said !== '' && quotation?.isShortened !== false }
  }
  return { place, write }
}

/** Index of the line of an output that names the error. */
function tellingPlace(said: string): number {
  const telling = tellingLine(said)?.slice(0, 60)
  if (telling === undefined) return 0
  const lines = said.split(/\r\n|\r|\n/)
  return Math.max(
    0,
    lines.findLastIndex((line) => line.replace(/\s+/g, ' ').includes(telling)),
  )
}

/** Number of commands listed per program. */
const MOST_COMMANDS = 3
/** What may precede the program: a change of folder, variables, a prefix. */
const BEFORE_PROGRAM =
  /^\s*(?:(?:cd\s+(?:"[^"]*"|'[^']*'|\S+)\s*(?:&&|;)|[A-Za-z_]\w*=\S*|sudo|time|env)\s+)*/

/** By program, most recent first; lists the newest commands of each. */
export function commandItems({ worked }: SessionNotes, { clean }: Writing): Item[] {
  const byProgram = new Map<string, SessionNotes['worked']>()
  for (const runs of worked.toReversed()) {
    const command = subjectOf(runs.call)
    const program = /^\S+/.exec(command.replace(BEFORE_PROGRAM, ''))?.[0] ?? ''
    byProgram.set(program, [...(byProgram.get(program) ?? []), runs])
  }
  return [...byProgram.values()].map((runs, rank): Item => {
    const commands = lazily(() => runs.slice(0, MOST_COMMANDS).map(({ call }) => clean(subjectOf(call))))
    return {
      place: byProgram.size - rank,
      write: (room) => {
        const pieces = commands().flatMap((command, at) => {
          const successes = runs[at]?.successes ?? 1
          return named(command, successes > 1 ? `${successes} times` : '', callRoom(room)) ?? []
        })
        for (let count = pieces.length; count > 0; count--) {
          const more = runs.length - count
          const mark = more === 0 ? [] : [`- (${formatPlural(more, 'more command')} of that program)`]
          const shown = pieces.slice(0, count)
          const text = [...shown.map((piece) => piece.text), ...mark].join('\n')
          if (weigh(text) <= room) return { text, isShortened: shown.some(({ isShortened }) => isShortened) }
        }
        return null
      },
    }
  })
}

/** Files that the session itself changed, latest first; then those changed only by its sub-agents. */
export function fileItems(
  edits: readonly SessionEdit[],
  ofAgents: readonly TouchedFile[],
  { clean }: Writing,
): Item[] {
  const byName = new Map<string, SessionEdit[]>()
  for (const edit of edits) {
    const before = byName.get(edit.name) ?? []
    byName.delete(edit.name)
    byName.set(edit.name, [...before, edit])
  }
  const own = [...byName].map(([name, changes]) => ({ name, facts: stateOf(changes) })).reverse()
  const theirs = ofAgents.flatMap(({ name, writes, edits: count }) =>
    writes + count === 0 || byName.has(name)
      ? []
      : { name, facts: `${formatPlural(writes + count, 'change')} by a sub-agent` },
  )
  return [...own, ...theirs].map(({ name, facts }, place) => ({
    place,
    write: (room) => named(clean(name), facts, room),
  }))
}

/** `2 edits: 1 unchanged since, 1 overwritten, +12 -3` */
function stateOf(edits: readonly SessionEdit[]): string {
  const states = (['stands', 'partly', 'gone', 'unknown', 'not-made'] as const).flatMap((state) => {
    const count = edits.filter((edit) => edit.state === state).length
    return count === 0 ? [] : [{ count, words: EDIT_STATE_WORDS[state].toLowerCase() }]
  })
  const doubts = new Set(edits.flatMap(({ doubt }) => (doubt === null ? [] : EDIT_DOUBT_WORDS[doubt])))
  const made = edits.filter(({ state, lines }) => state !== 'not-made' && lines !== null)
  const [added, removed] = made.reduce(
    ([plus = 0, minus = 0], { lines }) => [
      plus + (lines?.linesAdded ?? 0),
      minus + (lines?.linesRemoved ?? 0),
    ],
    [0, 0],
  )
  const isOne = states.length === 1
  return [
    `${formatPlural(edits.length, 'edit')}: ${states.map(({ count, words }) => (isOne ? words : `${count} ${words}`)).join(', ')}`,
    ...doubts,
    ...(made.length === 0 ? [] : [`+${added} -${removed}`]),
  ].join(', ')
}

/** `Shell, failed, exit 1` */
function factsOf(call: ToolCall): string {
  const end = call.failed
    ? ['failed']
    : call.status === 'success'
      ? []
      : [call.status === 'unanswered' ? 'no result' : 'not done']
  const given = new Set(call.extraParts.flatMap(({ kind }) => GIVEN[kind] ?? []))
  return [labelOf(call), ...end, ...exitOf(call), ...given].join(', ')
}

/** `Shell, still failing, exit 2, 2 of 3 runs failed, 09:10` */
function openFacts({ call, fate, failures, runs, timestamp }: OpenRuns, clock: Clock): string {
  return [
    labelOf(call),
    FATE_WORDS[fate],
    ...exitOf(call),
    ...(runs > 1 ? [`${failures} of ${runs} runs failed`] : []),
    clock(timestamp),
  ].join(', ')
}

function labelOf({ name }: ToolCall): string {
  const label = toolLabel(name)
    .replace(/[\s`>]+/g, ' ')
    .slice(0, 80)
    .trim()
  return label === '' ? 'A tool' : label
}

function exitOf({ failed, exitCode }: ToolCall): string[] {
  return failed && exitCode !== null ? [`exit ${exitCode}`] : []
}

/** How to describe parts of a result that cannot be quoted. */
const GIVEN: Partial<Record<Part['kind'], string>> = {
  image: 'returned an image',
  audio: 'returned audio',
  file: 'returned a file',
}

/** The output of a failed call, if it is text. */
function outputText(output: ToolOutput): string {
  if (output.kind === 'ansi')
    return output.lines.map((line) => line.map(({ text }) => text).join('')).join('\n')
  return 'text' in output ? output.text : ''
}

/** Redacting text that is never written would slow down long sessions. */
function lazily<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
