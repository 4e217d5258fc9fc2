import '../ui/frames/rail-list.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { settingsQuery } from '../api/settings.ts'
import { KeepPanel } from '../features/doctor/keep/keep-panel.tsx'
import { WriteJournalPanel } from '../features/doctor/write-journal.tsx'
import { IndexProgress } from '../features/health/index-progress.tsx'
import { AppearanceSection } from '../features/settings/appearance-section.tsx'
import { CacheSection } from '../features/settings/cache-section.tsx'
import { HomesSection } from '../features/settings/homes-section.tsx'
import { KeysSection } from '../features/settings/keys-section.tsx'
import { MarksSection } from '../features/settings/marks-section.tsx'
import { PricesSection } from '../features/settings/prices-section.tsx'
import { PrivacySection } from '../features/settings/privacy-section.tsx'
import { ReportSection } from '../features/settings/report-section.tsx'
import { useDocumentTitle } from '../lib/hooks/use-document-title.ts'
import { useNow } from '../lib/hooks/use-now.ts'
import { RailFrame } from '../ui/frames/rail-frame.tsx'
import { Failed } from '../ui/states/failed.tsx'

/** No event tells how much the cache takes. */
const REFRESH_MS = 10_000

const SECTIONS = [
  ['appearance', 'Appearance'],
  ['keys', 'Keys'],
  ['homes', 'Homes'],
  ['keep', 'Archive'],
  ['cache', 'Cache'],
  ['prices', 'Prices'],
  ['marks', 'Own marks'],
  ['privacy', 'Privacy'],
  ['journal', 'Written under a home'],
  ['health', 'Health'],
] as const

/** What can be chosen, and what is kept where. */
export function SettingsPage() {
  const {
    data: settings,
    error,
    refetch,
  } = useQuery({
    ...settingsQuery(),
    refetchOnMount: 'always',
    refetchInterval: REFRESH_MS,
  })
  const now = useNow()
  useDocumentTitle('Settings')
  return (
    <RailFrame railLabel="Sections" rail={<Sections />}>
      <h1 className="page-title">Settings</h1>
      <p className="text-ink-2">Kept on this computer. Nothing is sent anywhere.</p>
      <IndexProgress />
      <div className="settings-groups">
        <AppearanceSection />
        <KeysSection />
        {error !== null && settings === undefined && (
          <Failed
            what="The other settings could not be loaded."
            error={error}
            onRetry={() => void refetch()}
            stillWorks="What stands above is kept by this browser, and works."
          />
        )}
        {settings !== undefined && (
          <>
            <HomesSection homes={settings.homes} />
            <KeepPanel now={now} />
            <CacheSection cache={settings.cache} />
            <PricesSection prices={settings.prices} />
            <MarksSection />
            <PrivacySection data={settings.data} cache={settings.cache} signIn={settings.signIn} />
            <WriteJournalPanel isShownEmpty />
            <ReportSection />
          </>
        )}
      </div>
    </RailFrame>
  )
}

function Sections() {
  return (
    <nav aria-label="Sections of the settings">
      <h2 className="rail-heading">Settings</h2>
      <ul className="rail-list">
        {SECTIONS.map(([place, title]) => (
          <li key={place}>
            <Link to="/settings" hash={place} activeOptions={{ includeHash: true }}>
              <span>{title}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
