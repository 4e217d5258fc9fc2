import { Outlet, useNavigate } from '@tanstack/react-router'
import { Suspense, useState, useSyncExternalStore } from 'react'
import { ConnectionBanner } from '../features/shell/connection-banner.tsx'
import { TopBar } from '../features/shell/top-bar.tsx'
import { UpdateNotice } from '../features/shell/update-notice.tsx'
import { WarningBar } from '../features/shell/warning-bar.tsx'
import { zoneChoice } from '../lib/figures/time-zone.ts'
import { useShortcuts } from '../lib/hooks/use-shortcuts.ts'
import { CrumbSlot } from '../ui/controls/crumbs.tsx'
import { lazyDialog } from '../ui/lazy/lazy-dialog.tsx'

const ShortcutSheet = lazyDialog(() => import('../features/shortcut-sheet/shortcut-sheet.tsx'))

/** What stands around every page. */
export function RootLayout() {
  const navigate = useNavigate()
  const [crumbSlot, setCrumbSlot] = useState<HTMLElement | null>(null)
  const zone = useSyncExternalStore(zoneChoice.subscribe, zoneChoice.get)
  const [isSheetOpen, setIsSheetOpen] = useState(false)
  const openSheet = (): undefined => setIsSheetOpen(true) as undefined
  useShortcuts({
    showShortcuts: openSheet,
    goHome: () => void navigate({ to: '/' }),
    goUsage: () => void navigate({ to: '/usage' }),
  })
  return (
    <CrumbSlot value={crumbSlot}>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <TopBar crumbsRef={setCrumbSlot} onShortcuts={openSheet} />
      <ConnectionBanner />
      <WarningBar />
      <UpdateNotice />
      <Outlet key={zone} />
      {isSheetOpen && (
        <Suspense>
          <ShortcutSheet onClose={() => setIsSheetOpen(false)} />
        </Suspense>
      )}
    </CrumbSlot>
  )
}
