import { ExternalLink, FileText, Play, Share } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { RowMenuProps } from '../../features/session-list/virtual-rows.tsx'
import { useActions } from '../../lib/use-actions.ts'
import { ContextMenu } from '../../ui/buttons/icon-button.tsx'
import { CopyItem, MenuItem } from '../../ui/buttons/menu-item.tsx'
import { SessionDialog, type SessionDialogName, SessionLines } from './session-lines.tsx'

/** Context menu of a session in a list: the menu of its page, plus what the page has buttons for. */
export default function SessionRowMenu({ session, at, opener, onClose }: RowMenuProps) {
  const [opened, setOpened] = useState<SessionDialogName | null>(null)
  const [isListed, setIsListed] = useState(true)
  const path = `/s/${encodeURIComponent(session.key)}`
  // after closing, stays mounted for a dialog opened by one of its items
  const isDone = !isListed && opened === null
  useEffect(() => {
    if (isDone) onClose()
  }, [isDone, onClose])
  useActions(opened === 'share' ? { briefSession: () => void setOpened('handover') } : {})
  return (
    <>
      {isListed && (
        <ContextMenu label="Actions of this session" {...{ at, opener }} onClose={() => setIsListed(false)}>
          <MenuItem
            icon={ExternalLink}
            label="Open in a new tab"
            onChoose={() => void window.open(path, '_blank', 'noopener')}
          />
          <CopyItem label="Copy link" text={() => `${window.location.origin}${path}`} />
          <SessionLines session={session} hasKeys={false} onOpen={setOpened}>
            <MenuItem icon={Play} label="Resume" onChoose={() => setOpened('resume')} />
            <MenuItem icon={Share} label="Share" onChoose={() => setOpened('share')} />
            <MenuItem
              icon={FileText}
              label="Brief for another agent"
              onChoose={() => setOpened('handover')}
            />
          </SessionLines>
        </ContextMenu>
      )}
      <SessionDialog
        sessionRef={session.key}
        session={session}
        name={opened}
        onClose={() => setOpened(null)}
      />
    </>
  )
}
