import './export.css'
import type { ReactNode } from 'react'
import { Dialog } from '../../ui/frames/dialog.tsx'
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
    <Dialog
      title={title}
      shape="side"
      tools={href !== null && <DownloadButton key={href} href={href} />}
      onClose={onClose}
    >
      {children}
    </Dialog>
  )
}
