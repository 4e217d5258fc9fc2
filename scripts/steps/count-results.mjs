import { readFileSync } from 'node:fs'

/** Counts of a report that vitest wrote (`--reporter=json`). A missing report counts as one failure. */
export function countUnitTests(path) {
  const report = readReport(path)
  if (!report) return { passed: 0, failed: 1 }
  // A file that could not even be loaded has no failed test of its own.
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  )
  return { passed: report.numPassedTests, failed: report.numFailedTests + brokenFiles.length }
}

/** Counts of a report that Playwright wrote. A test that only passed when repeated counts as failed. */
export function countBrowserTests(path) {
  const report = readReport(path)
  if (!report) return { passed: 0, failed: 1 }
  const { expected, unexpected, flaky } = report.stats
  return { passed: expected, failed: unexpected + flaky + report.errors.length }
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return null
  }
}
