/** Where a key of a walk leads among `count` steps from `current`, or from the last; null for any other key. */
export function nextStep(key: string, current: number | null, count: number): number | null {
  const here = current ?? count - 1
  if (key === 'ArrowLeft') return Math.max(here - 1, 0)
  if (key === 'ArrowRight') return Math.min(here + 1, count - 1)
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : null
}
