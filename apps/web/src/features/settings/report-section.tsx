import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { reportQuery } from '../../api/settings.ts'
import { useActions } from '../../lib/actions/use-actions.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { CopyButton } from '../../ui/buttons/copy-button.tsx'
import { ScrollRegion } from '../../ui/frames/scroll-region.tsx'
import { Failed } from '../../ui/states/failed.tsx'
import { SettingRow, SettingsSection } from './settings-section.tsx'

/** How it stands: the page of it, and a report to be sent to somebody. */
export function ReportSection() {
  const [isShown, setIsShown] = useState(false)
  useActions({ showReport: () => void setIsShown(!isShown) })
  const { data, error, refetch } = useQuery({ ...reportQuery(), enabled: isShown })
  return (
    <SettingsSection place="health" title="Health">
      <SettingRow name="What was read, and what was not" why="Each finding with its reason and what to do.">
        <Link className="button" to="/doctor">
          Open Health
        </Link>
      </SettingRow>
      <SettingRow
        name="Report"
        why="Versions, counts and codes, for a bug report. Paths, and names of projects, files and people are taken out; you see all of it before you copy."
      >
        <Button aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
          {isShown ? 'Hide the report' : 'Show the report'}
        </Button>
        {isShown && data !== undefined && <CopyButton text={data.text} label="Copy the report" />}
      </SettingRow>
      {isShown && data !== undefined && (
        <ScrollRegion label="The report" className="setting-report">
          <pre>{data.text}</pre>
        </ScrollRegion>
      )}
      {isShown && error !== null && (
        <div className="setting-note">
          <Failed what="The report could not be made." error={error} onRetry={() => void refetch()} />
        </div>
      )}
    </SettingsSection>
  )
}
