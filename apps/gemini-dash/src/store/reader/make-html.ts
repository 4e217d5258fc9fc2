import { readFile } from 'node:fs/promises'
import type {
  ExportedAgent,
  ExportReview,
  LaidPaper,
  PaperProgram,
  PaperWords,
  SessionDetail,
} from '@gemini-dash/api'
import { formatPlural } from '@gemini-dash/api/figures'
import { SOURCE_NAMES } from '@gemini-dash/api/source-names'
import { type Change, type LeftOut, type RedactOptions, redactText, redactValue } from '@gemini-dash/redact'
import { linkTodoLists, type Message, type Verdict } from 'gemini-sessions'
import { cutToDepth } from '../../export/choose-messages.ts'
import { agentsAlong, NO_AGENTS, ReviewCache, redactWithAgents } from '../../export/redact-message.ts'
import { HtmlFrame } from '../../export/write-vac.ts'
import { columnCalls } from '../column-calls.ts'
import { read } from '../written-messages.ts'
import { makeDetail } from './make-detail.ts'
import {
  agentSource,
  type ExportAsked,
  type ExportPiece,
  exportPictures,
  makeExport,
  messagesInOrder,
  PIECE_LENGTH,
  reviewExport,
  sessionOptions,
} from './make-export.ts'
import type { OpenedSession } from './opened-session.ts'

/** How to export a session, in every format. */
export const EXPORT_MAKERS = {
  export: (opened: OpenedSession, asked: ExportAsked): Promise<ExportPiece> => {
    const { format } = asked
    return format === 'html' ? makeHtml(opened, asked) : makeExport(opened, { ...asked, format })
  },

  exportReview: (opened: OpenedSession, asked: ExportAsked): Promise<ExportReview> =>
    asked.format === 'html' ? reviewHtml(opened, asked) : reviewExport(opened, asked),

  exportPictures,

  /** Sub-agents exported inside the session. */
  exportAgents: async (opened: OpenedSession, asked: ExportAsked): Promise<string[]> => {
    const source = agentSource(opened, asked, null)
    return source === null ? [] : agentsAlong(source)
  },
}

/** Number of strips whose large texts are in memory at a time. */
const BATCH_STRIPS = 20

/** The next piece of a session as an HTML document, rendered with the page's own components. */
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
    // the number of redactions is known after the last strip: a session of several pieces states it at the end
    const said = saidOf(asked, isWhole ? redacted : null)
    text = frame.head({ title, version, top: await laid.top(said) }) + text
  }
  if (!isWhole) return { text, changes, leftOut, next: { read, of: total, written: 0, redacted } }
  const end = from === null || asked.redaction === null ? null : redactedText(redacted)
  return { text: text + frame.tail(await laid.bottom(end)), changes, leftOut, next: null }
}

/** What `makeHtml` would redact. */
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

/** The build output of the page's second entry. */
const FOLDER = new URL('paper/', import.meta.url)
let loading: Promise<Paper> | undefined

/** Takes half a second the first time, so it is loaded on demand. */
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
  /** Redactions outside of the strips. */
  changes: readonly Change[]
}

/** Computed once per reading and set of options, for all pieces. */
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
  const chosen = [...cutToDepth(messagesInOrder(opened), depth)].flatMap(({ message }) => message ?? [])
  const laid = program.layPaper({
    detail,
    calls: columnCalls(opened.outline().calls, prices),
    messages: chosen,
    offsets: chosen.length === messages.length ? null : chosen.map(({ key }) => offsets.get(key) ?? 0),
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

/** Redacts only the parts that are rendered, so that a review counts exactly what is in the file. */
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
  // the same fields with redacted texts
  const clean = value as typeof drawn
  // used to shorten paths; not rendered itself
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

/** Its texts as rendered. */
function verdictTexts(verdict: Verdict | null): string[] {
  return verdict === null ? [] : [verdict.text, verdict.open?.text ?? '', verdict.open?.passedLater ?? '']
}

/** Replaces these texts, and drops what is not rendered. */
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

/** The messages as shown in strips: in full, cut to the depth, redacted. */
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
  const chosen = messagesInOrder(opened).filter(({ message }) => keys.has(message.key))
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

/** @param redacted number of redactions; null: not known yet */
function saidOf({ redaction, depth, zone, summary }: ExportAsked, redacted: number | null): string {
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: zone }).format()
  return [
    `Exported from ${SOURCE_NAMES[summary.source]} with gemini-dash on ${day}.`,
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
