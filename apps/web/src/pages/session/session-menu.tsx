import { Link } from '@tanstack/react-router'
import type { SessionSummary } from 'gemini-sessions'
import { Columns2, Download, Ellipsis, Forward, Pencil, Printer, Trash2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { sessionName } from '../../features/session-head/session-name.ts'
import { zonedSpan } from '../../features/session-head/session-span.ts'
import { usePrint } from '../../features/session-print/use-print.tsx'
import { useIsNarrow } from '../../lib/hooks/use-is-narrow.ts'
import { CopyItem } from '../../ui/buttons/copy-item.tsx'
import { MenuButton } from '../../ui/buttons/menu-button.tsx'
import { MenuItem } from '../../ui/buttons/menu-item.tsx'
import { lazyDialog } from '../../ui/lazy/lazy-dialog.tsx'
import { Icon } from '../../ui/signs/icon.tsx'

const DIALOGS = {
  marks: lazyDialog(() => import('../../content/marks/mark-form.tsx')),
  handover: lazyDialog(() => import('../../features/handover/handover-dialog.tsx')),
  forget: lazyDialog(() => import('../../features/keep/forget-dialog.tsx')),
  export: lazyDialog(() => import('../../features/session-export/export-dialog.tsx')),
}

/** What can be done with a session beside reading it, and the dialogs that this opens. */
export function SessionMenu({ sessionRef, session }: { sessionRef: string; session: SessionSummary }) {
  const [opened, setOpened] = useState<keyof typeof DIALOGS | null>(null)
  const isNarrow = useIsNarrow()
  const printing = usePrint({ sessionRef, title: sessionName(session), facts: zonedSpan(session) })
  const Dialog = opened === null ? null : DIALOGS[opened]
  return (
    <>
      <MenuButton className="icon-button" label="More of this session" face={<Icon of={Ellipsis} />}>
        <MenuItem icon={Pencil} label="Note, tags and title" onChoose={() => setOpened('marks')} />
        {isNarrow && <CopyItem label="Copy link" text={() => `${window.location.origin}/s/${session.key}`} />}
        <MenuItem icon={Forward} label="Hand over" onChoose={() => setOpened('handover')} />
        <MenuItem icon={Download} label="Export" onChoose={() => setOpened('export')} />
        <Link to="/compare" search={{ a: session.key }} className="menu-item">
          <Icon of={Columns2} small />
          <span>Compare with…</span>
        </Link>
        <MenuItem icon={Printer} label="Print" onChoose={printing.print} />
        <MenuItem icon={Trash2} label="Forget…" onChoose={() => setOpened('forget')} />
      </MenuButton>
      {printing.sheet}
      {Dialog !== null && (
        <Suspense>
          <Dialog sessionRef={sessionRef} session={session} onClose={() => setOpened(null)} />
        </Suspense>
      )}
    </>
  )
}
