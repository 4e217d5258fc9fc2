import './index-progress.css'
import { useQuery } from '@tanstack/react-query'
import { healthQuery } from '../api/queries.ts'
import { formatCount, formatPlural } from '../lib/figures.ts'

/** Progress of the scan; nothing once it is done. */
export function IndexProgress() {
  const index = useQuery(healthQuery()).data?.index
  if (index?.state !== 'building') return null
  return (
    <label className="index-progress label">
      <progress value={index.filesDone} max={Math.max(index.filesTotal, 1)} />
      <span>
        {formatCount(index.filesDone)} of {formatPlural(index.filesTotal, 'session')} indexed
      </span>
    </label>
  )
}
