import './session-print.css'
import type { Transcript, TranscriptQuery } from '@gemini-dash/api'
import { sessionPath } from '@gemini-dash/api/paths'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { fetchNow } from '../api/request.ts'
import { fetchTranscript } from '../api/session.ts'
import { formatClock, formatDate } from '../lib/dates.ts'
import { useActions } from '../lib/use-actions.ts'

/** A bold line: the name of a tool call, a file or a thought. */
const LABEL = /^\*\*(.+)\*\*$/m
const ISO_TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/

interface Props {
  sessionRef: string
  title: string
  /** Line below the title: time and project. */
  facts: string
}

const WHOLE: TranscriptQuery = { as: 'markdown', redact: 'off' }
const SAYS = { idle: '', reading: 'Reading …', failed: 'The session couldn’t be read. Print again to retry.' }

interface Sheet {
  markdown: string
  /** Printed by the browser's menu, which prints by itself. */
  isByBrowser: boolean
}

/**
 * Prints every message of the session, whether by the page's menu, the keyboard or the browser's menu. The page only contains messages near
 * the window, so the printout is drawn separately.
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
        // synchronous, so that the printout contains the error
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

/** The browser's print shortcut also prints the whole session. */
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
  /** Line below the title: time and project. */
  facts: string
  markdown: string
}

/** The whole session for printing: text, thoughts, tool calls and answers. */
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
  // odd pieces are the captured groups
  const pieces = text
    .split(LABEL)
    .map((piece, index) => (index % 2 === 1 ? <b key={index}>{piece}</b> : piece))
  return <Tag dir="auto">{pieces}</Tag>
}

function writeTime(time: string): string {
  return Number.isNaN(Date.parse(time)) ? time : `${formatDate(time)}, ${formatClock(time, 'seconds')}`
}

interface PrintBlock {
  /** `head`: speaker and time; `quote`: a thought; `code`: verbatim content of a fence. */
  kind: 'head' | 'text' | 'quote' | 'code'
  text: string
}

const FENCE = /^(`{3,}|~{3,})/
const HEAD = /^## (?:You|Tool result|(?:Injected by )?(?:Gemini|Antigravity)(?: CLI)?)(?:,|$)/

/** Splits a Markdown transcript into blocks for printing. Unrecognized lines are kept as text. */
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
