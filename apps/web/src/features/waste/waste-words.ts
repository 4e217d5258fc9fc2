import { toolLabel } from '@gemini-dash/api/tool-label'
import type { WasteFinding, WasteKind } from 'gemini-sessions'
import { formatPlural } from '../../lib/figures/format.ts'

/** What a finding is called. */
export function findingTitle({ kind, tool }: WasteFinding): string {
  return TITLES[kind](toolLabel(tool))
}

const TITLES: Record<WasteKind, (tool: string) => string> = {
  'repeated-call': (tool) => `${tool}: same call, same result`,
  polled: (tool) => `${tool}: asked again until the answer changed`,
  'reread-file': () => 'File read again, unchanged',
  'failed-edit': (tool) => `${tool}: failed and tried again`,
  'failing-tool': (tool) => `${tool}: failed several times in a row`,
  'error-run': () => 'Errors, one after the other',
  'cut-output': (tool) => `${tool}: output cut, and asked for again`,
}

/** How often: `3 times`, `2 tries before it came through`. */
export function findingCount({ kind, places }: WasteFinding): string {
  const times = formatPlural(places.length, 'time')
  const extra = places.filter(({ isExtra }) => isExtra).length
  switch (kind) {
    case 'failed-edit':
      return places.length > extra
        ? `${formatPlural(extra, 'try', 'tries')} before it came through`
        : `${formatPlural(extra, 'try', 'tries')}, none came through`
    case 'error-run':
      return `${times} before the model answered`
    case 'cut-output':
      return `${formatPlural(extra, 'call')} for the rest`
    default:
      return times
  }
}

/** What the place that had to be is called. */
export function neededWord(kind: WasteKind): string {
  if (kind === 'failed-edit') return 'came through'
  return kind === 'cut-output' ? 'cut' : 'first'
}
