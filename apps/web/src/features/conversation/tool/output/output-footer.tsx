import { UnfoldVertical } from 'lucide-react'
import { formatCount, formatPlural, formatSize } from '../../../../lib/figures/format.ts'
import { Button } from '../../../../ui/buttons/button.tsx'
import { CopyButton } from '../../../../ui/buttons/copy-button.tsx'
import { Icon } from '../../../../ui/signs/icon.tsx'
import type { WholeState } from './use-whole-output.ts'

interface Props {
  shown: number
  /** null where the rest is still on the server. */
  total: number | null
  sizeBytes: number
  unit?: [one: string, many: string]
  /** null when all is shown. */
  onShowMore: (() => void) | null
  /** Where a click does not show all of it. */
  moreLabel?: string | undefined
  state?: WholeState
  copyText?: string
  copyLabel?: string
}

/** Below an output: how much of it is shown, the rest, a copy. */
export function OutputFooter(props: Props) {
  const { shown, total, sizeBytes, unit = ['line', 'lines'], onShowMore, state = 'idle', copyText } = props
  const { copyLabel = 'Copy output', moreLabel } = props
  return (
    <div className="output-footer">
      <span>{countOf(shown, total, unit)}</span>
      <span>{formatSize(sizeBytes)}</span>
      {typeof state === 'object' && (
        <>
          <span className="tone-error">The rest could not be read</span>
          <Button look="quiet" size="tiny" onClick={state.retry}>
            Try again
          </Button>
        </>
      )}
      <span className="output-actions">
        {onShowMore !== null && (
          <Button look="quiet" size="tiny" disabled={state === 'loading'} onClick={onShowMore}>
            <Icon of={UnfoldVertical} small />
            {state === 'loading' ? 'Reading' : (moreLabel ?? showLabel(total, sizeBytes, unit))}
          </Button>
        )}
        {copyText !== undefined && <CopyButton text={copyText} label={copyLabel} />}
      </span>
    </div>
  )
}

function countOf(shown: number, total: number | null, [one, many]: [string, string]): string {
  if (total === null) return `first ${formatPlural(shown, one, many)}`
  return shown < total
    ? `${formatCount(shown)} of ${formatPlural(total, one, many)}`
    : formatPlural(total, one, many)
}

function showLabel(total: number | null, sizeBytes: number, [one, many]: [string, string]): string {
  return total === null ? `Show all (${formatSize(sizeBytes)})` : `Show all ${formatPlural(total, one, many)}`
}
