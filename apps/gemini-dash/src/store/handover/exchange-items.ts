import { formatPlural } from '@gemini-dash/api/figures'
import type { ToolCall } from 'gemini-sessions'
import type { Item } from './fit-sections.ts'
import { type Clean, factsOf, lazily } from './handover-items.ts'
import { below, bytesOf, named, type Piece, quote, quotedBelow } from './quote.ts'
import { type Exchange, subjectOf } from './session-notes.ts'

/** Of an answer's calls the last so many are named. */
const MOST_CALLS = 12
/** Of the prompt above an answer: it stands whole among the prompts. */
const ASKED_BYTES = 400
/** `- Called:` and the lines' ends around it. */
const CALLED_BYTES = 11
/** For the line that counts the calls before. */
const CALLS_BEFORE_BYTES = 32
/** What a sub-agent said of its call. */
const TOLD_BYTES = 800
/** Of a call's line, without that. */
const CALL_BYTES = 300

/** The newest first. A prompt alone is told among the prompts. */
export function exchangeItems(exchanges: readonly Exchange[], clean: Clean): Item[] {
  return exchanges
    .flatMap(({ timestamp, asked, answered, calls, isHeld }, place): Item[] => {
      if (!isHeld) return [{ place, write: () => null }]
      if (answered === '' && calls.length === 0) return []
      const recorded = lazily(() => ({
        head: `### ${timestamp ?? 'No time recorded'}`,
        asked: clean(asked),
        answered: clean(answered),
        callLines: calls.slice(-MOST_CALLS).map((call) => writeCall(call, clean)),
        callsBefore: Math.max(calls.length - MOST_CALLS, 0),
      }))
      return [{ place, write: (maxBytes) => writeExchange(recorded(), maxBytes) }]
    })
    .reverse()
}

/** An exchange that nothing secret is in any more. */
interface RecordedExchange {
  head: string
  asked: string
  answered: string
  callLines: readonly string[]
  /** How many calls came before those of `callLines`. */
  callsBefore: number
}

/** Whole where there is room for it: what it takes is its room, which has none to spare. */
function writeExchange(exchange: RecordedExchange, maxBytes: number): Piece | null {
  const { head, asked, answered, callLines, callsBefore } = exchange
  const whole = joined(head, [
    quotedBelow('- Asked:', asked, ASKED_BYTES),
    below('- Called:', writeCalls(callLines, callsBefore, Number.POSITIVE_INFINITY)),
    quotedBelow('- Answered:', answered, Number.POSITIVE_INFINITY),
  ])
  if (whole !== null && bytesOf(whole.text) <= maxBytes) return whole
  let room = maxBytes - bytesOf(head)
  const taking = (piece: Piece | null) => {
    room -= piece === null ? 0 : bytesOf(piece.text) + 1
    return piece
  }
  const prompt = taking(quotedBelow('- Asked:', asked, Math.min(ASKED_BYTES, Math.floor(room / 4))))
  const answer = taking(
    quotedBelow('- Answered:', answered, Math.floor(room * (callLines.length > 0 ? 0.7 : 1)) - 1),
  )
  const called = below('- Called:', writeCalls(callLines, callsBefore, room - CALLED_BYTES))
  const shortened = joined(head, [prompt, called, answer])
  return shortened && { ...shortened, isShortened: true }
}

function joined(head: string, pieces: readonly (Piece | null)[]): Piece | null {
  const written = pieces.filter((piece) => piece !== null)
  if (written.length === 0) return null
  return {
    text: [head, ...written.map(({ text }) => text)].join('\n'),
    isShortened: written.some(({ isShortened }) => isShortened),
  }
}

/** The last ones; how many came before them is told. */
function writeCalls(callLines: readonly string[], callsBefore: number, maxBytes: number): Piece | null {
  let room = maxBytes - CALLS_BEFORE_BYTES
  const lines: string[] = []
  for (const line of callLines.toReversed()) {
    room -= bytesOf(line) + 1
    if (room < 0) break
    lines.push(line)
  }
  if (lines.length === 0) return null
  const before = callsBefore + callLines.length - lines.length
  if (before > 0) lines.push(`- (${formatPlural(before, 'call')} before)`)
  return { text: lines.reverse().join('\n'), isShortened: before > 0 }
}

function writeCall(call: ToolCall, clean: Clean): string {
  const facts = factsOf(call)
  const subject = clean(subjectOf(call)).trim()
  const line = subject === '' ? `- ${facts}` : (named(subject, facts, CALL_BYTES)?.text ?? `- ${facts}`)
  const result = [call.output, call.display].find((output) => output?.kind === 'subagent')
  const told = result?.kind === 'subagent' ? clean(result.result ?? '').trim() : ''
  const quoted = told === '' ? null : quote(told, TOLD_BYTES)
  return quoted === null ? line : `${line}\n${quoted.text}`
}
