import '../ui/frames/rail-frame.css'
import './doctor-page.css'
import { useQuery } from '@tanstack/react-query'
import { doctorQuery } from '../api/doctor.ts'
import { healthQuery } from '../api/health.ts'
import { CliVersion } from '../features/doctor/cli-version.tsx'
import { CopiedSessions } from '../features/doctor/copied-sessions.tsx'
import { Copies } from '../features/doctor/copies.tsx'
import { DeletedSoon } from '../features/doctor/deleted-soon.tsx'
import { DiskPanel } from '../features/doctor/disk/disk-panel.tsx'
import { EmptySessions } from '../features/doctor/empty-sessions.tsx'
import { HealthVerdict } from '../features/doctor/health-verdict.tsx'
import { KeepPanel } from '../features/doctor/keep/keep-panel.tsx'
import { NewToUs } from '../features/doctor/new-to-us.tsx'
import { NotRead } from '../features/doctor/not-read.tsx'
import { PartlyRead } from '../features/doctor/partly-read.tsx'
import { Places } from '../features/doctor/places.tsx'
import { UnclearProjects } from '../features/doctor/unclear-projects.tsx'
import { UnpricedModels } from '../features/doctor/unpriced-models.tsx'
import { Warnings } from '../features/doctor/warnings.tsx'
import { WriteJournalPanel } from '../features/doctor/write-journal.tsx'
import { IndexProgress } from '../features/health/index-progress.tsx'
import { useActions } from '../lib/actions/use-actions.ts'
import { say, sayError } from '../lib/browser/say.ts'
import { useDocumentTitle } from '../lib/hooks/use-document-title.ts'
import { useNow } from '../lib/hooks/use-now.ts'
import { Failed } from '../ui/states/failed.tsx'
import { SkeletonRows } from '../ui/states/skeleton-rows.tsx'

/** Findings change seldom, and no event tells of them. */
const REFRESH_MS = 10_000

/** Whether everything on disk was read; what was not, why, and what to do. */
export function DoctorPage() {
  const report = useQuery({ ...doctorQuery(), refetchOnMount: 'always', refetchInterval: REFRESH_MS })
  const version = useQuery(healthQuery()).data?.version ?? ''
  const now = useNow()
  useDocumentTitle('Health')
  useActions({
    askAgain: () =>
      void report
        .refetch()
        .then(({ error }) => (error === null ? say('The report is of now') : sayError(error))),
  })
  const doctor = report.data
  return (
    <main className="page-main doctor-page" id="main" tabIndex={-1}>
      <h1 className="page-title pb-2">Health</h1>
      <IndexProgress />
      {report.isPending && <SkeletonRows count={6} label="Loading the report" />}
      {report.isError && !doctor && (
        <Failed
          what="The report could not be loaded."
          error={report.error}
          onRetry={() => report.refetch()}
          stillWorks="Sessions can be read all the same."
        />
      )}
      {doctor && (
        <>
          <HealthVerdict doctor={doctor} />
          <div className="doctor-groups in-order">
            <Warnings warnings={doctor.warnings} />
            <NotRead skipped={doctor.files.skipped} />
            <PartlyRead issues={doctor.issues} sessionTotal={doctor.files.partlyRead} />
            <NewToUs drift={doctor.drift} version={version} />
            <CliVersion cli={doctor.cli} sandboxes={doctor.sandboxes} />
            {doctor.files.found > 0 && <DeletedSoon doctor={doctor} now={now} />}
            <KeepPanel now={now} />
            <WriteJournalPanel />
            <EmptySessions empty={doctor.empty} />
            <UnpricedModels unpriced={doctor.unpriced} />
            <Copies copies={doctor.copies} total={doctor.duplicates} />
            <CopiedSessions copied={doctor.copiedSessions} />
            <UnclearProjects projects={doctor.unclearProjects} />
            <DiskPanel disk={doctor.disk} cache={doctor.cache} />
            <Places homes={doctor.homes} cache={doctor.cache} />
          </div>
        </>
      )}
    </main>
  )
}
