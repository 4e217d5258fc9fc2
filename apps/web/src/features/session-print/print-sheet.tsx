import { useMemo } from 'react'
import { formatClock, formatDate } from '../../lib/figures/format.ts'
import { type PrintBlock, printBlocks } from './print-blocks.ts'

interface Props {
  title: string
  /** When and where: the line below the title. */
  facts: string
  markdown: string
}

/** A line of its own in bold: the name of a call, a file or a thought. */
const LABEL = /^\*\*(.+)\*\*$/m
const ISO_TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/

/** The whole session on paper: all that was said, thought, done and answered. */
export function PrintSheet({ title, facts, markdown }: Props) {
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
