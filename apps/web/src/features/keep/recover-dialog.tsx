import { useQuery } from '@tanstack/react-query'
import type { SessionSummary } from 'gemini-sessions'
import { recoverPreviewQuery, useRecover } from '../../api/usage.ts'
import { WriteDialog } from './write-dialog.tsx'

interface Props {
  session: SessionSummary
  onClose: () => void
}

/** Restores a session to its Gemini folder. */
export default function RecoverDialog({ session: { key }, onClose }: Props) {
  return (
    <WriteDialog
      title="Recover this session"
      preview={useQuery(recoverPreviewQuery(key))}
      writing={useRecover(key)}
      sessionRef={key}
      onClose={onClose}
    />
  )
}
