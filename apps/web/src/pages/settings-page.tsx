import '../ui/rail.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { marksQuery, viewsQuery } from '../api/marks.ts'
import { doctorQuery, healthQuery, keepQuery, settingsQuery } from '../api/queries.ts'
import { budgetsQuery, journalQuery, projectsQuery } from '../api/usage.ts'
import { BudgetPanel } from '../features/budgets/budget-panel.tsx'
import { IndexProgress } from '../features/index-progress.tsx'
import { AppearanceSection } from '../features/settings/appearance.tsx'
import { ArchiveSection } from '../features/settings/archive.tsx'
import { DiagnosticsSection } from '../features/settings/diagnostics.tsx'
import { FoldersSection } from '../features/settings/folders-section.tsx'
import { BillingSection, ListPricesSection, OwnPricesSection } from '../features/settings/prices.tsx'
import { PrivacySection } from '../features/settings/privacy.tsx'
import { CacheSection, JournalSection, MarksSection } from '../features/settings/storage.tsx'
import { say, sayError } from '../lib/copy.ts'
import { formatLongDate, startOfDay } from '../lib/dates.ts'
import { useDocumentTitle } from '../lib/hooks.ts'
import { useNow } from '../lib/list-hooks.ts'
import { SETTINGS_PAGES, type SettingsPageName } from '../lib/search-params.ts'
import { useActions } from '../lib/use-actions.ts'
import { Failed, SkeletonRows } from '../ui/states.tsx'

/** No event reports the size of the cache, and findings rarely change. */
const REFRESH_MS = 10_000

const route = getRouteApi('/settings/{-$section}')

const PAGES: Record<SettingsPageName, () => ReactNode> = {
  appearance: AppearancePage,
  prices: PricesPage,
  storage: StoragePage,
  privacy: PrivacyPage,
  diagnostics: DiagnosticsPage,
}

/** Settings, findings and storage, one section per page. */
export function SettingsPage() {
  const section = route.useParams({ select: ({ section = 'appearance' }) => section as SettingsPageName })
  const title = SETTINGS_PAGES[section]
  const Page = PAGES[section]
  useDocumentTitle(title, 'Settings')
  return (
    <div className="settings-frame">
      <nav aria-label="Settings">
        <ul className="rail-list">
          {Object.entries(SETTINGS_PAGES).map(([name, words]) => (
            <li key={name}>
              <Link
                to="/settings/{-$section}"
                params={{ section: name === 'appearance' ? undefined : name }}
                activeOptions={{ exact: true }}
              >
                <span>{words}</span>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <main className="page-main" id="main" tabIndex={-1}>
        <h1 className="page-title">{title}</h1>
        <Page key={section} />
      </main>
    </div>
  )
}

function Intro({ children }: { children: ReactNode }) {
  return <p className="settings-page-intro">{children}</p>
}

function AppearancePage() {
  return (
    <>
      <Intro>Saved in this browser.</Intro>
      <AppearanceSection />
    </>
  )
}

function PricesPage() {
  const settings = useSettings()
  const projects = useQuery(projectsQuery()).data?.projects
  const doctor = useQuery(doctorQuery())
  const budgets = useQuery(budgetsQuery())
  const prices = settings.data?.prices
  if (prices === undefined || !doctor.isFetched || !budgets.isFetched) return <Waiting asked={[settings]} />
  return (
    <>
      <Intro>
        List prices from {prices.list.name} {prices.list.version} (
        {formatLongDate(startOfDay(prices.list.date).toISOString())}). Nothing is downloaded.
      </Intro>
      <BillingSection prices={prices} unpriced={doctor.data?.unpriced ?? null} />
      <div className="settings-section">
        <BudgetPanel projects={projects ?? []} isWithoutPrices={prices.plan === 'nothing'} />
      </div>
      {prices.plan === 'list-price' && prices.used.length > 0 && <ListPricesSection prices={prices} />}
      <OwnPricesSection prices={prices} />
    </>
  )
}

function StoragePage() {
  const settings = useSettings()
  const doctor = useDoctor()
  const now = useNow()
  // late data would move what is already shown
  const others = [
    useQuery(keepQuery()),
    useQuery(journalQuery()),
    useQuery(marksQuery()),
    useQuery(viewsQuery()),
  ]
  if (settings.data === undefined || doctor.data === undefined || others.some(({ isFetched }) => !isFetched))
    return <Waiting asked={[settings, doctor]} />
  return (
    <>
      <Intro>What is on disk, what was read, and what is archived.</Intro>
      <IndexProgress />
      <FoldersSection doctor={doctor.data} homes={settings.data.homes} now={now} />
      <ArchiveSection now={now} />
      <CacheSection cache={settings.data.cache} />
      <MarksSection />
      <JournalSection />
    </>
  )
}

function PrivacyPage() {
  const settings = useSettings()
  if (settings.data === undefined) return <Waiting asked={[settings]} />
  const { data, cache, signIn, browsers } = settings.data
  return (
    <>
      <Intro>Nothing leaves this computer: no telemetry, no requests to other hosts.</Intro>
      <PrivacySection {...{ data, cache, signIn, browsers }} />
    </>
  )
}

function DiagnosticsPage() {
  const doctor = useDoctor()
  const health = useQuery(healthQuery()).data
  if (doctor.data === undefined || health === undefined) return <Waiting asked={[doctor]} />
  const { version, runtime } = health
  return (
    <>
      <Intro>
        gemini-dash {version} · {runtime}
      </Intro>
      <IndexProgress />
      <DiagnosticsSection doctor={doctor.data} version={version} />
    </>
  )
}

function useSettings() {
  return useQuery({ ...settingsQuery(), refetchOnMount: 'always', refetchInterval: REFRESH_MS })
}

function useDoctor() {
  const report = useQuery({ ...doctorQuery(), refetchOnMount: 'always', refetchInterval: REFRESH_MS })
  useActions({
    askAgain: () =>
      void report.refetch().then(({ error }) => (error === null ? say('Checked again') : sayError(error))),
  })
  return report
}

interface Asked {
  error: Error | null
  refetch: () => unknown
}

/** Replaces a section while it loads or if that failed. */
function Waiting({ asked }: { asked: Asked[] }) {
  const failed = asked.find(({ error }) => error !== null)
  if (failed?.error == null) return <SkeletonRows count={6} label="Loading" />
  return (
    <Failed
      what="Couldn’t load these settings."
      error={failed.error}
      onRetry={() => void failed.refetch()}
      stillWorks="Sessions can be read all the same."
    />
  )
}
