// Numbers are written as in a terminal.

export {
  describeCopiedSessions,
  describeCost,
  formatAtMost,
  formatCost,
  formatCount,
  formatDuration,
  formatExactUsd,
  formatFineCost,
  formatFineUsd,
  formatPercent,
  formatPlural,
  formatShortDuration,
  formatSize,
  formatTokens,
  formatUsd,
} from '@gemini-dash/api/figures'

/** `gemini-3-pro-preview` as `3-pro`, where space is short; the title should have the full name. */
export function formatModel(name: string): string {
  return name.replace(/^(models\/)?(gemini-)?/, '').replace(/-preview(-\d\d-\d\d)?$/, '')
}

const encoder = new TextEncoder()

/** Length of a text in UTF-8 bytes. A Blob would also know, but involves another process of the browser. */
export function byteSize(text: string): number {
  return encoder.encode(text).length
}
