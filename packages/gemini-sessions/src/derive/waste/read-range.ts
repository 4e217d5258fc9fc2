/** The lines that a read asked for, counted from 1; all of them where it named none. null where that cannot be told. */
export function readRange(args: unknown): { from: number; to: number } | null {
  if (typeof args !== 'object' || args === null) return null
  const field = (name: string): number | undefined => {
    const value: unknown = Reflect.get(args, name)
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined
  }
  // 0.4 to 0.38 counted from an offset, later versions name the lines.
  const from = field('start_line') ?? (field('offset') ?? 0) + 1
  const limit = field('limit')
  const to = field('end_line') ?? (limit === undefined ? Number.POSITIVE_INFINITY : from + limit - 1)
  return to >= from ? { from, to } : null
}
