import './session-print.css'
import type { Transcript, TranscriptQuery } from '@gemini-dash/api'
import { sessionPath } from '@gemini-dash/api/paths'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { fetchNow } from '../api/request.ts'
import { fetchTranscript } from '../api/session.ts'
import { formatClock, formatDate } from '../lib/figures.ts'
import { useActions } from '../lib/use-actions.ts'

/** A line of its own in bold: the name of a call, a file or a thought. */
const LABEL = /^\*\*(.+)\*\*$/m
const ISO_TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/

interface Props {
  sessionRef: string
  title: string
  /** When and where: the line below the title. */
  facts: string
}

const WHOLE: TranscriptQuery = { as: 'markdown', redact: 'off' }
const SAYS = { idle: '', reading: 'Reading …', failed: 'Not read; print again to try once more.' }

interface Sheet {
  markdown: string
  /** By the browser's menu, which prints by itself. */
  isByBrowser: boolean
}

/**
 * Prints every message of the session, whoever asks: the page's menu, the browser's key or the browser's own menu. The page
 * itself only ever holds what is near the window; what lies on paper is drawn for it.
 */
export function SessionPrint({ sessionRef, title, facts }: Props) {
  const [state, setState] = useState<keyof typeof SAYS>('idle')
  const [sheet, setSheet] = useState<Sheet | null>(null)
  const isDrawn = sheet !== null
  useEffect(() => {
    if (sheet === null) return
    const end = () => setSheet(null)
    window.addEventListener('afterprint', end)
    if (!sheet.isByBrowser) window.print()
    return () => window.removeEventListener('afterprint', end)
  }, [sheet])

  const print = useCallback(() => {
    setState('reading')
    fetchTranscript(sessionRef, WHOLE).then(
      ({ text }) => {
        setState('idle')
        setSheet({ markdown: text, isByBrowser: false })
      },
      () => setState('failed'),
    )
  }, [sessionRef])
  usePrintKey(print)
  useActions({ printSession: () => void print() })

  useEffect(() => {
    if (isDrawn) return
    const draw = () => {
      try {
        const { text } = fetchNow<Transcript>(sessionPath('transcript', sessionRef, WHOLE))
        flushSync(() => setSheet({ markdown: text, isByBrowser: true }))
      } catch {
        // drawn before it is printed, as it is told on the paper
        flushSync(() => setState('failed'))
      }
    }
    window.addEventListener('beforeprint', draw)
    return () => window.removeEventListener('beforeprint', draw)
  }, [sessionRef, isDrawn])
  return (
    <>
      <span role="status" className="print-state">
        {SAYS[state]}
      </span>
      {state === 'failed' && (
        <p className="print-note">
          Only messages near the window stand below: the rest could not be read when this was printed.
        </p>
      )}
      {sheet !== null &&
        createPortal(<PrintSheet title={title} facts={facts} markdown={sheet.markdown} />, document.body)}
    </>
  )
}

/** The browser's own key for printing means the whole session, too. */
function usePrintKey(print: () => void) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isPrint =
        (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key === 'p'
      if (!isPrint) return
      event.preventDefault()
      print()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [print])
}

interface PrintSheetProps {
  title: string
  /** When and where: the line below the title. */
  facts: string
  markdown: string
}

/** The whole session on paper: all that was said, thought, done and answered. */
function PrintSheet({ title, facts, markdown }: PrintSheetProps) {
  const blocks = useMemo(() => printBlocks(markdown), [markdown])
  return (
    <div className="print-sheet">
      <h1 dir="auto">{title}</h1>
      <p className="print-facts">{facts}</p>
      {blocks.map((block, index) => (
        <Block key={index} {...block} />
      ))}
    </div>
  )
}

function Block({ kind, text }: PrintBlock) {
  if (kind === 'head') return <h2>{text.replace(ISO_TIME, writeTime)}</h2>
  if (kind === 'code') return <pre dir="auto">{text}</pre>
  const Tag = kind === 'quote' ? 'blockquote' : 'p'
  // every second piece is what the pattern caught
  const pieces = text
    .split(LABEL)
    .map((piece, index) => (index % 2 === 1 ? <b key={index}>{piece}</b> : piece))
  return <Tag dir="auto">{pieces}</Tag>
}

function writeTime(time: string): string {
  return Number.isNaN(Date.parse(time)) ? time : `${formatDate(time)}, ${formatClock(time, 'seconds')}`
}

interface PrintBlock {
  /** `head`: who spoke and when; `quote`: a thought; `code`: what stood in a fence, as typed. */
  kind: 'head' | 'text' | 'quote' | 'code'
  text: string
}

const FENCE = /^(`{3,}|~{3,})/
const HEAD = /^## (?:You|Gemini|Tool result|Injected by the CLI|Gemini CLI)(?:,|$)/

/** A Markdown transcript as blocks that paper tells apart. No line is lost: what is none of them is text. */
export function printBlocks(markdown: string): PrintBlock[] {
  const blocks: PrintBlock[] = []
  let open: { kind: PrintBlock['kind']; lines: string[] } | null = null
  let fence: string | null = null
  const close = () => {
    const text = open?.lines.join('\n').replace(/^\n+|\s+$/g, '') ?? ''
    if (open !== null && text !== '') blocks.push({ kind: open.kind, text })
    open = null
  }
  const add = (kind: PrintBlock['kind'], line: string) => {
    if (open?.kind !== kind) {
      close()
      open = { kind, lines: [] }
    }
    open?.lines.push(line)
  }
  for (const line of markdown.split('\n')) {
    const opened: string | undefined = FENCE.exec(line)?.[1]
    if (fence !== null) {
      if (line.trimEnd() === fence) {
        close()
        fence = null
      } else add('code', line)
    } else if (opened !== undefined) {
      close()
      fence = opened
    } else if (HEAD.test(line)) {
      close()
      blocks.push({ kind: 'head', text: line.slice('## '.length) })
    } else if (line.startsWith('> ') || line === '>') add('quote', line.slice(2))
    else add('text', line)
  }
  close()
  return blocks
}
