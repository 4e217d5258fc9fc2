import './usage.css'
import type { UsageQuery } from '@gemini-dash/api'
import { questionPath } from '@gemini-dash/api/paths'
import { download } from '../../api/request.ts'
import { sayError } from '../../lib/copy.ts'
import { timeZone } from '../../lib/dates.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

interface Props {
  from: string | undefined
  projectKey: string | undefined
  onClose: () => void
}

const TABLES: readonly { by: UsageQuery['by']; name: string }[] = [
  { by: 'day', name: 'Days' },
  { by: 'week', name: 'Weeks' },
  { by: 'month', name: 'Months' },
  { by: 'hour-of-week', name: 'Hours of the week' },
  { by: 'session', name: 'Sessions' },
  { by: 'project', name: 'Projects' },
  { by: 'model', name: 'Models' },
  { by: 'tool', name: 'Tools' },
]
const FORMATS = ['csv', 'json'] as const
const PERIODS: ReadonlySet<string> = new Set(['day', 'week', 'month'])

/** Downloads all figures of the selected range and project. */
export default function ExportDataDialog({ from, projectKey, onClose }: Props) {
  function save(by: UsageQuery['by'], format: UsageQuery['format']) {
    const split = PERIODS.has(by) ? 'model' : undefined
    const path = questionPath('usage', { by, from, project: projectKey, tz: timeZone(), format, split })
    // fetched by the page: following a link while the server is down would lose the page
    void download(path, undefined, undefined, `gemini-usage-by-${by}.json`).catch(sayError)
  }
  return (
    <Dialog title="Export data" onClose={onClose}>
      <p className="text-ink-2">Tokens, cost, requests and sessions of the range and project on this page.</p>
      <ul className="export-data">
        {TABLES.map(({ by, name }) => (
          <li key={by}>
            {name}
            {FORMATS.map((format) => {
              const formatName = format.toUpperCase()
              return (
                <Button key={format} aria-label={`${name} as ${formatName}`} onClick={() => save(by, format)}>
                  {formatName}
                </Button>
              )
            })}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
