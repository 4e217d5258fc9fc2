import './scan-progress.css'
import type { SearchResult } from '@gemini-dash/api'
import { formatCount, formatPlural } from '../../lib/figures/format.ts'
import { Button } from '../../ui/buttons/button.tsx'

type Props = {
  coverage: SearchResult['coverage']
  state: 'growing' | 'stopped'
  onStop: () => void
  onGoOn: () => void
}

/** How far a search over the files has come, and the way to end it, or to have all of it after all. */
export function ScanProgress({ coverage: { filesDone, filesTotal }, state, onStop, onGoOn }: Props) {
  const isGrowing = state === 'growing'
  return (
    <div className="scan-progress">
      <p>
        {isGrowing ? 'Searching' : 'Stopped after'} {formatCount(filesDone)} of{' '}
        {formatPlural(filesTotal, 'file')}, newest first
      </p>
      <progress max={filesTotal} value={filesDone} aria-label="Files searched" />
      <Button look="quiet" size="tiny" onClick={isGrowing ? onStop : onGoOn}>
        {isGrowing ? 'Stop' : 'Search all'}
      </Button>
    </div>
  )
}
