/** Messages asked for at once. */
export const PAGE_SIZE = 100

export function pageOf(offset: number): number {
  return Math.floor(offset / PAGE_SIZE)
}
