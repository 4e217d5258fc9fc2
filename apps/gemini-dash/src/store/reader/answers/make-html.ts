import { readFile } from 'node:fs/promises'
import type {
  ExportReview,
  LaidPaper,
  LeavingAgent,
  PaperProgram,
  PaperWords,
  SessionDetail,
} from '@gemini-dash/api'
import { type Change, type LeftOut, type RedactOptions, redactText, redactValue } from '@gemini-dash/redact'
import { linkTodoLists, type Message } from 'gemini-sessions'
import { cutToDepth } from '../../../export/choose-messages.ts'
import { HtmlFrame } from '../../../export/html-frame.ts'
import { agentsAlong, NO_AGENTS, redactWithAgents } from '../../../export/leaving-agents.ts'
import { ReviewBook } from '../../../export/review-book.ts'
import { columnCalls } from '../../messages/column-calls.ts'
import { read } from '../../messages/written.ts'
import { makeDetail } from './make-detail.ts'
import {
  agentSource,
  type ExportAsked,
  type ExportPiece,
  exportPictures,
  makeExport,
  PIECE_LENGTH,
  reviewExport,
  toldMessages,
} from './make-export.ts'
import type { OpenedSession } from './opened-session.ts'
import { sessionOptions } from './session-options.ts'

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
  let text = from === null ? frame.head({ title, version, top: await laid.top() }) : ''
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
  if (read < total) return { text, changes, leftOut, next: { read, of: total, written: 0 } }
  return { text: text + frame.tail(await laid.bottom(saidOf(asked))), changes, leftOut, next: null }
}

/** What `makeHtml` would take out. */
async function reviewHtml(opened: OpenedSession, asked: ExportAsked): Promise<ExportReview> {
  const { laid, changes } = await laidOut(opened, asked)
  const book = new ReviewBook()
  book.add(changes, [], null)
  for (let start = 0; start < laid.count; start += BATCH_STRIPS) {
    const end = Math.min(start + BATCH_STRIPS, laid.count)
    for await (const { words, byName, ...taken } of saidWords(opened, asked, laid, start, end)) {
      book.add(taken.changes, taken.leftOut, words.message?.key ?? null)
      book.addByName(byName)
    }
  }
  return book.review()
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
  const { detail, changes } = redactDetail(detailOf(opened, asked), await sessionOptions(opened, asked))
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

function detailOf(opened: OpenedSession, { summary }: ExportAsked): SessionDetail {
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
    outcome: session.outcome?.text ?? '',
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
  const { outcome } = session
  return {
    changes,
    detail: {
      ...detail,
      session: {
        ...session,
        title: clean.title,
        project: { ...session.project, name: clean.project, path },
        outcome: outcome && { ...outcome, text: clean.outcome },
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

interface SaidWords {
  index: number
  words: PaperWords
  agents: ReadonlyMap<string, LeavingAgent>
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
      const [cut] = cutToDepth([{ message, fate: null, closing: null }], depth)
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

function saidOf({ redaction, depth, version }: ExportAsked): string {
  const how =
    redaction === null
      ? 'As it was recorded.'
      : 'Secrets, and what names a person, were taken out before it left.'
  return `${depth === 'all' ? '' : `Depth: ${depth}. `}${how} Written by gemini-dash ${version}.`
}
