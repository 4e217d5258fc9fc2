/** A query without one of its pieces, and without what joined or enclosed only that. */
export function withoutFilter(query: string, { start, end }: { start: number; end: number }): string {
  let before = query.slice(0, start).trimEnd()
  let after = query.slice(end).trimStart()
  for (let isEnclosed = true; isEnclosed; ) {
    isEnclosed = /(?:^|[\s(])-?\($/.test(before) && after.startsWith(')')
    if (isEnclosed) {
      before = before.replace(/-?\($/, '').trimEnd()
      after = after.slice(1).trimStart()
    }
  }
  const isFirst = before === '' || before.endsWith('(')
  const isLast = after === '' || after.startsWith(')')
  if (isFirst) after = after.replace(/^(?:OR|AND)\s+/, '')
  else if (isLast || /^(?:OR|AND)\s/.test(after)) before = before.replace(/\s+(?:OR|AND)$/, '')
  const gap = before === '' || after === '' || before.endsWith('(') || after.startsWith(')') ? '' : ' '
  return `${before}${gap}${after}`
}
