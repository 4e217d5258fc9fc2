import { readFile } from 'node:fs/promises'
import type {
  CostReport,
  ExportedAgent,
  ExportReview,
  LaidPaper,
  PaperProgram,
  PaperWords,
  SessionDetail,
} from '@gemini-dash/api'
import { formatPlural } from '@gemini-dash/api/figures'
import { toTurnColumns } from '@gemini-dash/api/turn-columns'
import { costFigures, type PriceOverrides, pricerOf, weighCalls } from '@gemini-dash/pricing'
import { type Change, type LeftOut, type RedactOptions, redactText, redactValue } from '@gemini-dash/redact'
import {
  failedCallsSentence,
  findActivity,
  findWaits,
  linkAgentCalls,
  linkFates,
  linkTodoLists,
  type Message,
  type Outline,
  type Part,
  priceMessages,
  type RecordOfRuns,
  type Session,
  type SubagentRef,
  spentMessages,
  type ToolOutput,
  type Verdict,
  type WaitTotals,
} from 'gemini-sessions'
import { cutToDepth } from '../../export/choose-messages.ts'
import { agentsAlong, NO_AGENTS, ReviewCache, redactWithAgents } from '../../export/redact-message.ts'
import { HtmlFrame } from '../../export/write-vac.ts'
import { findBuried, unfoldedKeys } from '../map-session.ts'
import { columnCalls, findSideBranches } from '../wire-messages.ts'
import { read, type Written } from '../written-messages.ts'
import {
  agentSource,
  type ExportAsked,
  type ExportPiece,
  exportPictures,
  makeExport,
  PIECE_LENGTH,
  reviewExport,
  sessionOptions,
  toldMessages,
} from './make-texts.ts'
import type { OpenedSession } from './opened-session.ts'
import type { DetailParts } from './session-place.ts'

/** How a session leaves, in whichever form. */
export const EXPORT_MAKERS = {
  export: (opened: OpenedSession, asked: ExportAsked): Promise<ExportPiece> => {
    const { format } = asked
    return format === 'html' ? makeHtml(opened, asked) : makeExport(opened, { ...asked, format })
  },

  exportReview: (opened: OpenedSession, asked: ExportAsked): Promise<ExportReview> =>
    asked.format === 'html' ? reviewHtml(opened, asked) : reviewExport(opened, asked),

  exportPictures,

  /** Sub-agents that leave inside the session. */
  exportAgents: async (opened: OpenedSession, asked: ExportAsked): Promise<string[]> => {
    const source = agentSource(opened, asked, null)
    return source === null ? [] : agentsAlong(source)
  },
}

/** So many strips have their large texts in memory at a time. */
const BATCH_STRIPS = 20

/** The next piece of a session as a document, drawn by the page's own components. */
async function makeHtml(opened: OpenedSession, asked: ExportAsked): Promise<ExportPiece> {
  const { laid, title, frame, changes: ofHead } = await laidOut(opened, asked)
  const { from, version } = asked
  const total = from?.of ?? laid.count
  let text = ''
  let changes = from === null ? ofHead.length : 0
  let leftOut = 0
  let read = from?.read ?? 0
  while (read < total && text.length < PIECE_LENGTH) {
    const end = Math.min(read + BATCH_STRIPS, total)
    for await (const { index, words, agents, ...taken } of saidWords(opened, asked, laid, read, end)) {
      text += await laid.strip(index, words, agents)
      changes += taken.changes.length
      leftOut += taken.leftOut.length + taken.byName
    }
    read = end
  }
  const redacted = (from?.redacted ?? 0) + changes
  const isWhole = read >= total
  if (from === null) {
    // how much is redacted is known when all strips are: of a session of several pieces its end says so
    const said = saidOf(asked, isWhole ? redacted : null)
    text = frame.head({ title, version, top: await laid.top(said) }) + text
  }
  if (!isWhole) return { text, changes, leftOut, next: { read, of: total, written: 0, redacted } }
  const end = from === null || asked.redaction === null ? null : redactedText(redacted)
  return { text: text + frame.tail(await laid.bottom(end)), changes, leftOut, next: null }
}

/** What `makeHtml` would take out. */
async function reviewHtml(opened: OpenedSession, asked: ExportAsked): Promise<ExportReview> {
  const { laid, changes } = await laidOut(opened, asked)
  const reviewed = new ReviewCache()
  reviewed.add(changes, [], null)
  for (let start = 0; start < laid.count; start += BATCH_STRIPS) {
    const end = Math.min(start + BATCH_STRIPS, laid.count)
    for await (const { words, byName, ...taken } of saidWords(opened, asked, laid, start, end)) {
      reviewed.add(taken.changes, taken.leftOut, words.message?.key ?? null)
      reviewed.addByName(byName)
    }
  }
  return reviewed.review()
}

interface Paper {
  program: PaperProgram
  frame: HtmlFrame
}

/** What the build makes of the page's second entry. */
const FOLDER = new URL('paper/', import.meta.url)
let loading: Promise<Paper> | undefined

/** Half a second the first time, so it is loaded by who wants it. */
function loadPaper(): Promise<Paper> {
  loading ??= Promise.all([
    import(/* @vite-ignore */ new URL('paper.js', FOLDER).href) as Promise<PaperProgram>,
    readFile(new URL('paper.css', FOLDER), 'utf8'),
  ]).then(([program, style]) => ({ program, frame: new HtmlFrame(style) }))
  return loading
}

interface LaidOut {
  laid: LaidPaper
  frame: HtmlFrame
  title: string
  /** What is taken out of all but the strips. */
  changes: readonly Change[]
}

/** Once a reading and a way to leave, however many pieces are made of it. */
const LAID = new WeakMap<readonly Message[], { way: string; out: LaidOut }>()

async function laidOut(opened: OpenedSession, asked: ExportAsked): Promise<LaidOut> {
  const { messages } = opened
  const { depth, redaction, zone } = asked
  const way = JSON.stringify([depth, redaction, zone])
  const known = LAID.get(messages)
  if (known?.way === way) return known.out
  const { program, frame } = await loadPaper()
  const { prices } = opened.place.source
  const { detail, changes } = redactDetail(htmlDetailOf(opened, asked), await sessionOptions(opened, asked))
  const offsets = new Map(messages.map(({ key }, offset) => [key, offset]))
  const told = [...cutToDepth(toldMessages(opened), depth)].flatMap(({ message }) => message ?? [])
  const laid = program.layPaper({
    detail,
    calls: columnCalls(opened.outline().calls, prices),
    messages: told,
    offsets: told.length === messages.length ? null : told.map(({ key }) => offsets.get(key) ?? 0),
    hasPrices: prices?.plan !== 'nothing',
    zone,
  })
  const out = { laid, frame, title: detail.session.title || 'Session', changes }
  LAID.set(messages, { way, out })
  return out
}

function htmlDetailOf(opened: OpenedSession, { summary }: ExportAsked): SessionDetail {
  const parts = read(makeDetail(opened))
  return { ...parts, session: summary, state: '', related: [], outline: opened.outline().turns }
}

/** Without what is taken out: of what is drawn of it, and no more, so that a review counts what is in the file. */
function redactDetail(
  detail: SessionDetail,
  options: RedactOptions | null,
): { detail: SessionDetail; changes: readonly Change[] } {
  if (options === null) return { detail, changes: [] }
  const { session, outline, branches, segments, figures } = detail
  const drawn = {
    title: session.title,
    project: session.project.name,
    verdict: verdictTexts(session.verdict),
    turns: outline.map(({ prompt, failure }) => ({ prompt, failure: failure?.text ?? '' })),
    branches: branches.map(({ firstLine }) => firstLine),
    files: segments.map(({ file }) => file),
    failedCalls: figures.failedCalls?.text ?? '',
  }
  const { value, changes } = redactValue(drawn, options)
  // the same fields with other texts
  const clean = value as typeof drawn
  // by it paths are shortened; it is not drawn itself
  const path = session.project.path && redactText(session.project.path, options).text
  return {
    changes,
    detail: {
      ...detail,
      session: {
        ...session,
        title: clean.title,
        project: { ...session.project, name: clean.project, path },
        verdict: withTexts(session.verdict, clean.verdict),
        outcome: null,
      },
      outline: outline.map((turn, index) => ({
        ...turn,
        prompt: clean.turns[index]?.prompt ?? '',
        failure: turn.failure && { ...turn.failure, text: clean.turns[index]?.failure ?? '' },
      })),
      branches: branches.map((branch, index) => ({ ...branch, firstLine: clean.branches[index] ?? '' })),
      segments: segments.map((segment, index) => ({ ...segment, file: clean.files[index] ?? '' })),
      figures: {
        ...figures,
        failedCalls: figures.failedCalls && { ...figures.failedCalls, text: clean.failedCalls },
      },
    },
  }
}

/** Its texts as they are drawn. */
function verdictTexts(verdict: Verdict | null): string[] {
  return verdict === null ? [] : [verdict.text, verdict.open?.text ?? '', verdict.open?.passedLater ?? '']
}

/** With these texts, and without what is not drawn. */
function withTexts(
  verdict: Verdict | null,
  [text = '', openText = '', later = '']: string[],
): Verdict | null {
  if (verdict === null) return null
  const { open } = verdict
  return {
    ...verdict,
    ...{ text, about: null, waits: null },
    open: open && {
      ...open,
      ...{ text: openText, command: '', passedLater: open.passedLater && later },
      edits: open.edits && { ...open.edits, files: [] },
    },
  }
}

interface SaidWords {
  index: number
  words: PaperWords
  agents: ReadonlyMap<string, ExportedAgent>
  changes: Change[]
  leftOut: LeftOut[]
  byName: number
}

/** What strips show of the session's words: whole, cut to the depth, redacted. */
async function* saidWords(
  opened: OpenedSession,
  asked: ExportAsked,
  laid: LaidPaper,
  start: number,
  end: number,
): AsyncGenerator<SaidWords> {
  const { depth } = asked
  const options = await sessionOptions(opened, asked)
  const source = agentSource(opened, asked, options)
  const strips = Array.from({ length: end - start }, (_, place) => laid.wordsOf(start + place))
  const keys = new Set(strips.flatMap(({ message }) => message?.key ?? []))
  const chosen = toldMessages(opened).filter(({ message }) => keys.has(message.key))
  const restored = await opened.shelved.restore(chosen.map(({ message }) => message))
  const whole = linkTodoLists(opened.messages, restored)
  const byKey = new Map(
    whole.flatMap((message) => {
      const [cut] = cutToDepth([{ message, fate: null, closing: null, begins: null }], depth)
      return cut?.message == null ? [] : [[message.key, cut.message] as const]
    }),
  )
  for (const [place, { message: slim, line }] of strips.entries()) {
    const index = start + place
    const message = slim && (byKey.get(slim.key) ?? null)
    if (message !== null) {
      const { message: clean, ...taken } = await redactWithAgents(message, options, source)
      yield { index, words: { message: clean, line }, ...taken }
    } else {
      const { text, changes, leftOut } =
        options === null || line === null
          ? { text: line, changes: [], leftOut: [] }
          : redactText(line, options)
      yield { index, words: { message, line: text }, agents: NO_AGENTS, changes, leftOut, byName: 0 }
    }
  }
}

/** @param redacted how many places; null: not known yet */
function saidOf({ redaction, depth, zone }: ExportAsked, redacted: number | null): string {
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: zone }).format()
  return [
    `Exported from Gemini CLI with gemini-dash on ${day}.`,
    redaction === null
      ? 'Unredacted.'
      : redacted === null
        ? 'Secrets and personal data are redacted.'
        : redactedText(redacted),
    depth === 'all' ? '' : `Depth: ${depth}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

function redactedText(count: number): string {
  return count === 0 ? 'Nothing had to be redacted.' : `${formatPlural(count, 'item')} redacted.`
}

export function makeDetail({ place, session, messages, outline, once }: OpenedSession): Written<DetailParts> {
  return once('detail', () =>
    detailOf({ session, messages, outline: outline(), prices: place.source.prices }),
  )
}

/** What a session's page begins with, but for its row. `messages`: as they are shown. */
export function detailOf({
  session,
  messages,
  outline: { turns, compressions },
  prices,
}: {
  session: Session
  messages: readonly Message[]
  outline: Outline
  prices: PriceOverrides | undefined
}): DetailParts {
  const calls = weighCalls(spentMessages(session), prices)
  const { segments, drawnKeys, resumedKeys } = session
  return {
    segments,
    messageTotal: messages.length,
    outline: [],
    turnColumns: toTurnColumns(turns),
    compressions,
    drawnKeys,
    resumedKeys,
    buriedBy: findBuried(session),
    branches: findSideBranches(messages, { turns, compressions, unfolded: unfoldedKeys(session) }),
    activity: findActivity(messages),
    figures: sessionFigures({ ...session, messages: [...messages] }, costFigures(calls)),
  }
}

/** What the head of a session tells beyond its sums: what the cache saved, what was taken back, and where the time went. */
function sessionFigures(
  session: RecordOfRuns,
  { savedByCache, superseded }: Pick<CostReport, 'savedByCache' | 'superseded'>,
): SessionDetail['figures'] {
  const waits = findWaits(session.messages)
  const totals: WaitTotals = { you: 0, model: 0, tool: 0, other: 0 }
  for (const { kind, startMs, endMs } of waits) totals[kind] += endMs - startMs
  const wallMs = (waits.at(-1)?.endMs ?? 0) - (waits.at(0)?.startMs ?? 0)
  const failedCalls = failedCallsSentence(session)
  return { savedByCache, superseded, wallMs, activeMs: totals.model + totals.tool, failedCalls }
}

interface Shown {
  /** What the messages were made with, as text. */
  by: string
  messages: Message[]
}

/** The messages of open sessions as they are shown: made once, however many pages of them are asked for. */
export class ShownMessages {
  readonly #shown = new WeakMap<Session, Shown>()

  /** With their costs, links to these sub-agents, and the fates of failed calls. */
  of(session: Session, prices: PriceOverrides | undefined, subagents: SubagentRef[]): Message[] {
    const by = JSON.stringify([prices, subagents])
    const known = this.#shown.get(session)
    if (known?.by === by) return known.messages
    const priced = priceMessages(session.messages, pricerOf(prices))
    const messages = linkFates(linkAgentCalls(priced, subagents), session)
    this.#shown.set(session, { by, messages })
    return messages
  }
}

/** An image, file or text of a message, whole. */
interface PartContent {
  mimeType: string
  bytes: Uint8Array
}

/** `of`: `output`, `display`, or `extra-<n>` for the n-th part beside the result. Whole, uncut. */
export async function toolOutput(
  { messages, shelved }: OpenedSession,
  { callId, of }: { callId: string; of: string },
): Promise<ToolOutput | Part | null> {
  const holding = messages.filter(({ toolCalls }) => toolCalls.some(({ id }) => id === callId)).slice(0, 1)
  const [message] = await shelved.restore(holding)
  return message === undefined ? null : outputOf(message, callId, of)
}

export function outputOf(message: Message, callId: string, of: string): ToolOutput | Part | null {
  const call = message.toolCalls.find(({ id }) => id === callId)
  if (call === undefined) return null
  if (of === 'display') return call.display
  const extra = /^extra-(\d+)$/.exec(of)?.[1]
  return extra === undefined ? call.output : (call.extraParts[Number(extra)] ?? null)
}

export async function wholePart(
  { messages, shelved }: OpenedSession,
  { messageKey, index }: { messageKey: string; index: number },
): Promise<PartContent | null> {
  const [message] = await shelved.restore(messages.filter(({ key }) => key === messageKey))
  return message === undefined ? null : partOf(message, index)
}

export function partOf({ content }: Message, index: number): PartContent | null {
  const part = content[index]
  return part === undefined ? null : partContent(part)
}

function partContent(part: Part): PartContent | null {
  switch (part.kind) {
    case 'text':
      return { mimeType: 'text/plain; charset=utf-8', bytes: Buffer.from(part.text) }
    case 'code':
      return {
        mimeType: 'text/plain; charset=utf-8',
        bytes: Buffer.from(`${part.code}\n${part.output ?? ''}`),
      }
    case 'unknown':
      return { mimeType: 'application/json', bytes: Buffer.from(JSON.stringify(part.json) ?? 'null') }
    case 'image':
    case 'audio':
    case 'file':
      return part.data === null ? null : { mimeType: part.mimeType, bytes: Buffer.from(part.data, 'base64') }
  }
}
