/** A sheet of paper is as wide as it is. */
export function useIsNarrow(): boolean {
  return false
}
