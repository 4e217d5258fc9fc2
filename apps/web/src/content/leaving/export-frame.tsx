import './export.css'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../../ui/buttons/icon-button.tsx'
import { DownloadButton } from './download-button.tsx'

interface Props {
  title: string
  /** null: it cannot leave like this. */
  href: string | null
  onClose: () => void
  children: ReactNode
}

/** The dialog in which it is chosen how sessions leave. */
export function ExportFrame({ title, href, onClose, children }: Props) {
  return (
    <dialog
      className="export-dialog"
      aria-labelledby="export-title"
      ref={(dialog) => {
        if (dialog !== null && !dialog.open) dialog.showModal()
      }}
      onClose={onClose}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <header className="export-head">
        <h2 id="export-title">{title}</h2>
        {href !== null && <DownloadButton key={href} href={href} />}
        <IconButton icon={X} label="Close" onClick={onClose} />
      </header>
      {children}
    </dialog>
  )
}
