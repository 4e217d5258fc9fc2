import { apiPaths } from '@gemini-dash/api/paths'
import { useNavigate } from '@tanstack/react-router'
import type { SessionSummary } from 'gemini-sessions'
import { Archive, ArchiveRestore, Braces, FolderOutput, Network, Pencil, Star, Trash2 } from 'lucide-react'
import { type ReactNode, Suspense } from 'react'
import { useMarkChange } from '../../api/marks.ts'
import { download } from '../../api/request.ts'
import { actions } from '../../lib/action-table.ts'
import { sayError } from '../../lib/copy.ts'
import { formatPlural } from '../../lib/figures.ts'
import { CopyItem, MenuItem } from '../../ui/buttons/menu-item.tsx'
import { lazyDialog } from '../../ui/lazy.tsx'

const DIALOGS = {
  marks: lazyDialog(() => import('../../content/mark-form.tsx')),
  handover: lazyDialog(() => import('../../features/handover-dialog.tsx')),
  recover: lazyDialog(() => import('../../features/keep/recover-dialog.tsx')),
  move: lazyDialog(() => import('../../features/keep/move-dialog.tsx')),
  forget: lazyDialog(() => import('../../features/keep/forget-dialog.tsx')),
  resume: lazyDialog(() => import('../../features/resume/resume-dialog.tsx')),
  share: lazyDialog(() => import('../../features/share-dialog.tsx')),
  files: lazyDialog(() => import('./session-files-dialog.tsx')),
}
export type SessionDialogName = keyof typeof DIALOGS

interface LinesProps {
  session: SessionSummary
  /** Shows the shortcuts of the session page beside the items. */
  hasKeys: boolean
  /** Additional items, after those for stars, notes and tags. */
  children?: ReactNode
  onOpen: (name: SessionDialogName) => void
}

/** Menu items of a session, on its page and in lists. */
export function SessionLines({ session, hasKeys, children, onOpen }: LinesProps) {
  const navigate = useNavigate()
  const { mutate: changeMark } = useMarkChange(session)
  const isStarred = session.mark?.star === true
  const keysOf = (name: 'starSession' | 'noteSession') => (hasKeys ? actions[name].keys[0] : undefined)
  return (
    <>
      <MenuItem
        icon={Star}
        label={isStarred ? 'Unstar' : 'Star'}
        keys={keysOf('starSession')}
        onChoose={() => changeMark({ star: !isStarred })}
      />
      <MenuItem
        icon={Pencil}
        label={actions.noteSession.words}
        keys={keysOf('noteSession')}
        onChoose={() => onOpen('marks')}
      />
      {children}
      <Subagents session={session} />
      <CopyItem label="Copy session ID" text={() => session.sessionId} />
      <MenuItem
        icon={Braces}
        label="Raw record"
        onChoose={() => void download(apiPaths.exported(session.key, { format: 'raw' })).catch(sayError)}
      />
      <MenuItem
        icon={Archive}
        label="Archive…"
        onChoose={() => void navigate({ href: '/settings/storage#keep' })}
      />
      {canRecover(session) && (
        <MenuItem
          icon={ArchiveRestore}
          label={actions.recoverSession.words}
          onChoose={() => onOpen('recover')}
        />
      )}
      {session.kind === 'main' && (
        <MenuItem icon={FolderOutput} label={actions.moveSession.words} onChoose={() => onOpen('move')} />
      )}
      <MenuItem icon={Trash2} label={actions.forgetSession.words} onChoose={() => onOpen('forget')} />
    </>
  )
}

/** Whether part of it is missing where Gemini CLI would look for it. */
export function canRecover({ kind, buried, files }: SessionSummary): boolean {
  return kind === 'main' && (buried || files.some(({ kept }) => kept !== undefined && kept.cause !== 'added'))
}

/** Link to its sub-agent, or to a list of several. */
function Subagents({ session: { key, subagentKeys } }: { session: SessionSummary }) {
  const [first, second] = subagentKeys
  if (first === undefined) return null
  const href = second === undefined ? `/s/${first}` : `/?kind=subagent&parent=${encodeURIComponent(key)}`
  return <MenuItem icon={Network} label={formatPlural(subagentKeys.length, 'sub-agent')} href={href} />
}

interface DialogProps {
  sessionRef: string
  session: SessionSummary
  /** null: none is open. */
  name: SessionDialogName | null
  onClose: () => void
}

/** The dialog opened by a menu item. */
export function SessionDialog({ name, ...props }: DialogProps) {
  if (name === null) return null
  const Dialog = DIALOGS[name]
  return (
    <Suspense>
      <Dialog {...props} />
    </Suspense>
  )
}
