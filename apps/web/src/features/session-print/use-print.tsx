import './session-print.css'
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import { createPortal } from 'react-dom'
import { fetchTranscript } from '../../api/session/session.ts'
import { formatClock, formatDate } from '../../lib/figures/format.ts'
import { type PrintBlock, printBlocks } from './print-blocks.ts'

/** A line of its own in bold: the name of a call, a file or a thought. */
const LABEL = /^\*\*(.+)\*\*$/m
const ISO_TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/

interface Props {
  sessionRef: string
  title: string
  /** When and where: the line below the title. */
  facts: string
}

const SAYS = { idle: '', reading: 'Reading …', failed: 'Not read; print again to try once more.' }

/**
 * Prints every message of the session: the page itself only ever holds what is near the window. `sheet` is to be drawn: it
 * says how far that is, and is what lies on paper.
 */
export function usePrint({ sessionRef, title, facts }: Props): { print: () => void; sheet: ReactNode } {
  const [state, setState] = useState<keyof typeof SAYS>('idle')
  const [markdown, setMarkdown] = useState<string | null>(null)
  useEffect(() => {
    if (markdown === null) return
    const end = () => setMarkdown(null)
    window.addEventListener('afterprint', end)
    window.print()
    return () => window.removeEventListener('afterprint', end)
  }, [markdown])

  const print = useCallback(() => {
    setState('reading')
    fetchTranscript(sessionRef, { as: 'markdown', redact: 'off' }).then(
      ({ text }) => {
        setState('idle')
        setMarkdown(text)
      },
      () => setState('failed'),
    )
  }, [sessionRef])
  usePrintKey(print)
  const sheet = (
    <>
      <span role="status" className="print-state">
        {SAYS[state]}
      </span>
      <p className="print-note">
        Only messages near the window stand below. “Print” in the menu at its top prints the whole session.
      </p>
      {markdown !== null &&
        createPortal(<PrintSheet title={title} facts={facts} markdown={markdown} />, document.body)}
    </>
  )
  return { print, sheet }
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
