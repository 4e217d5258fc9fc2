import { useNavigate } from '@tanstack/react-router'
import type { SessionSummary } from 'gemini-sessions'
import {
  ArchiveRestore,
  Columns2,
  Download,
  Ellipsis,
  FolderOutput,
  Forward,
  type LucideIcon,
  Pencil,
  Printer,
  Trash2,
} from 'lucide-react'
import { Suspense, useState } from 'react'
import { useMarkChange } from '../../api/marks.ts'
import { type ActionName, actions } from '../../lib/actions/action-table.ts'
import { runAction, useActions } from '../../lib/actions/use-actions.ts'
import { isBeingWritten } from '../../lib/hooks/use-draft.ts'
import { useIsNarrow } from '../../lib/hooks/use-is-narrow.ts'
import { CopyItem } from '../../ui/buttons/copy-item.tsx'
import { MenuButton } from '../../ui/buttons/menu-button.tsx'
import { MenuItem } from '../../ui/buttons/menu-item.tsx'
import { lazyDialog } from '../../ui/lazy/lazy-dialog.tsx'
import { Icon } from '../../ui/signs/icon.tsx'

const DIALOGS = {
  marks: lazyDialog(() => import('../../content/marks/mark-form.tsx')),
  handover: lazyDialog(() => import('../../features/handover/handover-dialog.tsx')),
  recover: lazyDialog(() => import('../../features/keep/recover-dialog.tsx')),
  move: lazyDialog(() => import('../../features/keep/move-dialog.tsx')),
  forget: lazyDialog(() => import('../../features/keep/forget-dialog.tsx')),
  export: lazyDialog(() => import('../../features/session-export/export-dialog.tsx')),
}

/** What can be done with a session beside reading it, and the dialogs that this opens. */
export function SessionMenu({ sessionRef, session }: { sessionRef: string; session: SessionSummary }) {
  const [opened, setOpened] = useState<keyof typeof DIALOGS | null>(() =>
    isBeingWritten(`marks ${session.key}`) ? 'marks' : null,
  )
  const navigate = useNavigate()
  const isNarrow = useIsNarrow()
  const { mutate: changeMark } = useMarkChange(session)
  // Something of it is not where Gemini CLI would find it.
  const canRecover = session.kind === 'main' && (session.buried || session.files.some(({ kept }) => kept))
  useActions({
    noteSession: () => void setOpened('marks'),
    handOver: () => void setOpened('handover'),
    exportSession: () => void setOpened('export'),
    ...(canRecover && { recoverSession: () => void setOpened('recover') }),
    ...(session.kind === 'main' && { moveSession: () => void setOpened('move') }),
    forgetSession: () => void setOpened('forget'),
    compareSession: () => void navigate({ to: '/compare', search: { a: session.key } }),
    starSession: () => void changeMark({ star: session.mark?.star !== true }),
  })
  const Dialog = opened === null ? null : DIALOGS[opened]
  return (
    <>
      <MenuButton className="icon-button" label="More of this session" face={<Icon of={Ellipsis} />}>
        <Known icon={Pencil} name="noteSession" />
        {isNarrow && <CopyItem label="Copy link" text={() => `${window.location.origin}/s/${session.key}`} />}
        <Known icon={Forward} name="handOver" />
        <Known icon={Download} name="exportSession" />
        <Known icon={Columns2} name="compareSession" href={`/compare?a=${encodeURIComponent(session.key)}`} />
        <Known icon={Printer} name="printSession" />
        {canRecover && <Known icon={ArchiveRestore} name="recoverSession" />}
        {session.kind === 'main' && <Known icon={FolderOutput} name="moveSession" />}
        <Known icon={Trash2} name="forgetSession" />
      </MenuButton>
      {Dialog !== null && (
        <Suspense>
          <Dialog sessionRef={sessionRef} session={session} onClose={() => setOpened(null)} />
        </Suspense>
      )}
    </>
  )
}

/** A line as the table of actions has it. */
function Known({ icon, name, href }: { icon: LucideIcon; name: ActionName; href?: string }) {
  const { words, keys } = actions[name]
  return (
    <MenuItem icon={icon} label={words} keys={keys[0]} href={href} onChoose={() => void runAction(name)} />
  )
}
