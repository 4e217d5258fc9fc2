import './message-page.css'
import type { ReactNode } from 'react'
import { useDocumentTitle } from '../../lib/hooks/use-document-title.ts'

/** A page that says one thing: nothing here, no way in, something broke. */
export function NoticePage({
  title,
  lead,
  children,
}: {
  title: string
  lead: ReactNode
  children?: ReactNode
}) {
  useDocumentTitle(title)
  return (
    <main className="message-page" id="main" tabIndex={-1}>
      <h1>{title}</h1>
      <p className="lead">{lead}</p>
      {children}
    </main>
  )
}
