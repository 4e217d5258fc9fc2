import type { ReactNode } from 'react'
import { messageAnchor } from '../../../../features/conversation/part/message-link.ts'

interface Props {
  messageKey: string
  call: number | null
  title?: string
  className?: string
  children: ReactNode
}

/** Further down in the same document. */
export function ToMessage({ messageKey, call, title, className = 'link', children }: Props) {
  const anchor = messageAnchor(messageKey, call === null ? null : `call-${call}`)
  return (
    <a href={`#${encodeURIComponent(anchor)}`} className={className} title={title}>
      {children}
    </a>
  )
}
