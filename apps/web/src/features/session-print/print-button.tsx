import './session-print.css'
import { Printer } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { fetchTranscript } from '../../api/session/transcript.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Icon } from '../../ui/signs/icon.tsx'
import { PrintSheet } from './print-sheet.tsx'

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
  const [markdown, setMarkdown] = useState<string | null>(null)
  useEffect(() => {
    if (markdown === null) return
    const end = () => setMarkdown(null)
    window.addEventListener('afterprint', end)
    window.print()
    return () => window.removeEventListener('afterprint', end)
  }, [markdown])

  const print = useCallback(async () => {
    setState('reading')
    await fetchTranscript(sessionRef, { as: 'markdown' }).then(
      (whole) => {
        setState('idle')
        setMarkdown(whole)
      },
      () => setState('failed'),
    )
  }, [sessionRef])
  usePrintKey(print)
  return (
    <>
      <Button disabled={state === 'reading'} onClick={print}>
        <Icon of={Printer} small />
        <span aria-live="polite">{SAYS[state]}</span>
      </Button>
      <p className="print-note">
        Only messages near the window stand below. The button “Print” at its top prints the whole session.
      </p>
      {markdown !== null &&
        createPortal(<PrintSheet title={title} facts={facts} markdown={markdown} />, document.body)}
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
