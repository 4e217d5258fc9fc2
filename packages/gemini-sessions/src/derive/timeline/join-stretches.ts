import type { WaitKind, WaitStretch } from '../../model/insights/timeline.ts'

/** Neighbours of one kind as one stretch; then, where there are still too many, the shortest with their neighbours. */
export function joinStretches(stretches: readonly WaitStretch[], most: number): WaitStretch[] {
  const joined = joinWhere(stretches, (last, next) => last.kind === next.kind)
  if (joined.length <= most) return joined
  const size = Math.ceil(joined.length / most)
  return Array.from({ length: Math.ceil(joined.length / size) }, (_, index) =>
    asOne(joined.slice(index * size, (index + 1) * size)),
  )
}

function joinWhere(
  stretches: readonly WaitStretch[],
  isOne: (last: WaitStretch, next: WaitStretch) => boolean,
): WaitStretch[] {
  const joined: WaitStretch[] = []
  for (const next of stretches) {
    const last = joined.at(-1)
    if (last !== undefined && isOne(last, next)) joined[joined.length - 1] = { ...last, endMs: next.endMs }
    else joined.push(next)
  }
  return joined
}

/** The kind that takes most of it. */
function asOne(group: readonly WaitStretch[]): WaitStretch {
  const sums = new Map<WaitKind, number>()
  for (const { kind, startMs, endMs } of group) sums.set(kind, (sums.get(kind) ?? 0) + endMs - startMs)
  const [[kind] = ['other' as const]] = [...sums].sort(([, a], [, b]) => b - a)
  return { kind, startMs: group[0]?.startMs ?? 0, endMs: group.at(-1)?.endMs ?? 0 }
}
