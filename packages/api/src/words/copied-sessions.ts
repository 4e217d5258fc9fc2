import { formatCount, formatPlural } from './figures.ts'

/** `3 sessions are copies of others; 41 of their requests are counted there.` */
export function describeCopiedSessions(copied: readonly { requests: number }[]): string {
  const requests = copied.reduce((sum, each) => sum + each.requests, 0)
  const isOne = copied.length === 1
  const sessions = `${formatPlural(copied.length, 'session')} ${isOne ? 'is a copy of another' : 'are copies of others'}`
  return `${sessions}; ${formatCount(requests)} of ${isOne ? 'its' : 'their'} requests ${requests === 1 ? 'is' : 'are'} counted there.`
}
