import type { ParseIssue } from '../../model/parse-issue.ts'

/** In how many places something could not be read: an issue can stand for many. */
export function countIssues(issues: readonly ParseIssue[]): number {
  return issues.reduce((sum, { count = 1 }) => sum + count, 0)
}
