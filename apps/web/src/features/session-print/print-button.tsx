import './session-print.css'
import { Printer } from 'lucide-react'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { fetchTranscript } from '../../api/transcript.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'

interface Props {
  sessionRef: string
  title: string
  /** When and where: the line below the title. */
  facts: string
}

const SAYS = { idle: 'Print', reading: 'Reading …', failed: 'Not read, try again' }

/** Prints every message of the session: the page itself only ever holds what is near the window. */
export function PrintButton({ sessionRef, title, facts }: Props) {
  const [state, setState] = useState<keyof typeof SAYS>('idle')
  const [text, setText] = useState<string | null>(null)
  useEffect(() => {
    if (text === null) return
    const end = () => setText(null)
    window.addEventListener('afterprint', end)
    window.print()
    return () => window.removeEventListener('afterprint', end)
  }, [text])

  async function print() {
    setState('reading')
    await fetchTranscript(sessionRef, { as: 'text' }).then(
      (whole) => {
        setState('idle')
        setText(whole)
      },
      () => setState('failed'),
    )
  }
  return (
    <>
      <Button disabled={state === 'reading'} onClick={print}>
        <Icon of={Printer} small />
        <span aria-live="polite">{SAYS[state]}</span>
      </Button>
      <p className="print-note">
        Only messages near the window stand below. The button “Print” at its top prints the whole session.
      </p>
      {text !== null &&
        createPortal(
          <div className="print-sheet">
            <h1 dir="auto">{title}</h1>
            <p>{facts}</p>
            <pre dir="auto">{text}</pre>
          </div>,
          document.body,
        )}
    </>
  )
}
