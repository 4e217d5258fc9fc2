import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { sessionAnswerQuery } from '../../api/session-answer.ts'
import { SessionFilesView } from '../../features/session-files.tsx'
import { conversationSearch } from '../../lib/session-search.ts'
import { Dialog } from '../../ui/dialog.tsx'

/** Plans, tasks, restore points and other files of a session that no message shows. */
export default function SessionFilesDialog({
  sessionRef,
  onClose,
}: {
  sessionRef: string
  onClose: () => void
}) {
  const { data: neighbours } = useQuery(sessionAnswerQuery('neighbours', sessionRef))
  const navigate = useNavigate()
  function jump(messageKey: string) {
    onClose()
    void navigate({
      from: '/s/$key',
      to: '/s/$key',
      params: { key: sessionRef },
      search: conversationSearch,
      hash: `m-${messageKey}`,
    })
  }
  return (
    <Dialog title="Files of this session" shape="wide" onClose={onClose}>
      {neighbours !== undefined && <SessionFilesView {...{ sessionRef, neighbours }} onJump={jump} />}
    </Dialog>
  )
}
