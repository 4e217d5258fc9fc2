import { Outlet, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState, useSyncExternalStore } from 'react'
import { connection } from '../api/connection.ts'
import { ConnectionBanner } from '../features/shell/connection-banner.tsx'
import { TopBar } from '../features/shell/top-bar.tsx'
import { WarningBar } from '../features/shell/warning-bar.tsx'
import { zoneChoice } from '../lib/time-zone.ts'
import { useShortcuts } from '../lib/use-shortcuts.ts'
import { ForbiddenPage } from '../pages/forbidden-page.tsx'
import { CrumbSlot } from '../ui/crumbs.tsx'

const ShortcutSheet = lazy(() => import('../features/shortcut-sheet/shortcut-sheet.tsx'))

/** What stands around every page. */
export function RootLayout() {
  const navigate = useNavigate()
  const [crumbSlot, setCrumbSlot] = useState<HTMLElement | null>(null)
  const isForbidden = useSyncExternalStore(connection.subscribe, connection.get) === 'forbidden'
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
      {isForbidden ? <ForbiddenPage /> : <Outlet key={zone} />}
      {isSheetOpen && (
        <Suspense>
          <ShortcutSheet onClose={() => setIsSheetOpen(false)} />
        </Suspense>
      )}
    </CrumbSlot>
  )
}
