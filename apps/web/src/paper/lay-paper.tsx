import type { ExportedAgent, LaidPaper, PaperProgram, PaperSession, PaperWords } from '@gemini-dash/api'
import type { Message } from 'gemini-sessions'
import type { ReactNode } from 'react'
import { prerender } from 'react-dom/static'
import { buildRows } from '../features/conversation/build-rows.ts'
import { Dividers } from '../features/conversation/dividers.tsx'
import { FoldHead, MessageArticle } from '../features/conversation/message/message.tsx'
import { type ConversationMessageRow, type Fold, foldTally, type Row } from '../features/conversation/row.ts'
import { drawInZone, inZone } from '../lib/dates.ts'
import { PaperEnd, PaperTop, StartPlace } from './sheet.tsx'

type FoldRow = Extract<Row, { kind: 'fold' }>
/** `end`: end of a fold. */
type Strip = FoldRow | ConversationMessageRow | { kind: 'end' }

/** Defined by the build. */
declare const __CLASS_NAMES__: Readonly<Record<string, string>>
/** Shortened class names of the style sheet. */
const SHORT_NAMES = new Map(Object.entries(__CLASS_NAMES__))

/** Encloses all strips, so that each can be rendered alone. */
const OPENED = `<main class="${shortName('paper')}">`
const CONVERSATION = `<div class="${shortName('conversation')}">`

/** Renders a session as strips of HTML, one by one, with the page's own components. */
export const layPaper: PaperProgram['layPaper'] = (session) => {
  const { zone } = session
  const strips = inZone(zone, () => toStrips(rowsOf(session)))
  const draw = (element: ReactNode, place: string, agents?: ReadonlyMap<string, ExportedAgent>) =>
    drawInZone(zone, () => drawStatic(<StartPlace {...{ session, agents }}>{element}</StartPlace>, place))
  const laid: LaidPaper = {
    count: strips.length,
    top: async (said) =>
      OPENED + (await draw(<PaperTop session={session} said={said} />, 'top')) + CONVERSATION,
    bottom: async (said) => `</div>${await drawStatic(<PaperEnd said={said} />, 'bottom')}</main>`,
    wordsOf: (index) => wordsOf(strips[index]),
    strip: async (index, words, agents) => {
      const strip = strips[index]
      const place = `s${index}`
      if (strip === undefined) return ''
      if (strip.kind === 'end') return '</details>'
      if (strip.kind === 'message')
        return drawMessage(strip, words.message ?? strip.message, session, (element) =>
          draw(element, place, agents),
        )
      const fold = await draw(<FoldOnPaper row={strip} line={words.line} />, place)
      // its content follows, strip by strip
      return fold.replace(/<\/details>$/, '')
    },
  }
  return laid
}

function rowsOf({ detail, messages, offsets }: PaperSession): Row[] {
  const { outline: turns, segments, compressions, drawnKeys, resumedKeys, branches, session } = detail
  return buildRows({
    total: messages.length,
    pageSize: Math.max(messages.length, 1),
    pages: new Map([[0, messages]]),
    positions: offsets === null ? null : new Map([[0, offsets]]),
    linesOf: () => null,
    turns,
    segments,
    compressions,
    drawnKeys,
    resumedKeys,
    branches,
    isLive: session.live,
    seenUntilMs: null,
    isFoldOpen: () => true,
  })
}

/** A fold ends before the first row that is not one of its messages. */
function toStrips(rows: readonly Row[]): Strip[] {
  const strips: Strip[] = []
  let folded: ReadonlySet<string> | null = null
  for (const row of rows) {
    if (row.kind === 'unloaded') continue
    if (folded !== null && (row.kind === 'fold' || !folded.has(row.key))) {
      strips.push({ kind: 'end' })
      folded = null
    }
    strips.push(row)
    if (row.kind === 'fold') folded = new Set(row.fold.messages.map(({ message }) => message.key))
  }
  if (folded !== null) strips.push({ kind: 'end' })
  return strips
}

/** The line of a branch comes from the session itself. */
function wordsOf(strip: Strip | undefined): PaperWords {
  if (strip?.kind === 'message') return { message: strip.message, line: null }
  const line = strip?.kind === 'fold' && strip.fold.branch === null ? foldTally(strip.fold).firstLine : null
  return { message: null, line }
}

/** Summarized messages were not undone by anyone: they are shown like the rest. */
function FoldOnPaper({ row: { dividers, fold }, line }: { row: FoldRow; line: string | null }) {
  const tally = foldTally(fold)
  const isOpen = fold.cause === 'compacted'
  return (
    <>
      <Dividers dividers={dividers} />
      <details className="fold" open={isOpen}>
        <summary className={headClass(fold)}>
          <FoldHead
            fold={fold}
            tally={line === null ? tally : { ...tally, firstLine: line }}
            isOpen={isOpen}
          />
        </summary>
      </details>
    </>
  )
}

function headClass({ cause }: Fold): string {
  return cause === 'agent' ? 'fold-head of-agent' : 'fold-head'
}

async function drawMessage(
  { dividers, offset, isInBranch, isLastOfTurn, isTakenBack, ending, run }: ConversationMessageRow,
  message: Message,
  { detail }: PaperSession,
  draw: (element: ReactNode) => Promise<string>,
): Promise<string> {
  const place = {
    dividers,
    offset,
    isInBranch,
    isLastOfTurn,
    isTakenBack,
    ending,
    run,
    total: detail.messageTotal,
  }
  try {
    return await draw(
      <MessageArticle message={message} {...place} isFlashing={false} isPending={false} terms={[]} />,
    )
  } catch {
    // fallback for what no component can render
    return draw(
      <pre className="paper-data" dir="ltr">
        {JSON.stringify(message, null, 2)}
      </pre>,
    )
  }
}

/** React inserts these between texts and around suspended content; meaningless on paper. */
const MARKS = /<!--(?: |\$|\/\$)-->/g
/** Elements that can be self-closing, and attributes that only scripts would use. */
const LONG_WAY = /><\/(?:rect|use|path|line|circle)>| aria-(?:posinset|setsize)="\d+"| tabindex="-1"/g
/** Cannot occur in text: React escapes quotes there. */
const CLASSES = / class="([^"]*)"/g

/** Renders elements to HTML once everything they suspend on has loaded. `place` makes their ids unique. */
async function drawStatic(element: ReactNode, place: string): Promise<string> {
  const thrown: unknown[] = []
  const { prelude } = await prerender(element, {
    identifierPrefix: `${place}-`,
    // larger content would be inserted by a script
    progressiveChunkSize: Number.MAX_SAFE_INTEGER,
    onError: (error) => void thrown.push(error),
  })
  // for a lazy part that fails, React would leave its placeholder
  if (thrown.length > 0) throw thrown[0]
  return (await new Response(prelude).text())
    .replace(MARKS, '')
    .replace(LONG_WAY, (found) => (found.startsWith('>') ? '/>' : ''))
    .replace(CLASSES, (_, names: string) => ` class="${names.split(' ').map(shortName).join(' ')}"`)
}

function shortName(name: string): string {
  return SHORT_NAMES.get(name) ?? name
}
