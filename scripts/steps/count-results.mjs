import { readFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import { root } from './workspace.mjs'

/** Of a message of a failed test the end says so much: the beginning may be an example of many thousand characters. */
const MESSAGE_LINES = 12
const LINE_LENGTH = 160

/** Counts of a report that vitest wrote (`--reporter=json`), and what failed. A missing report counts as one failure. */
export function countUnitTests(path) {
  const report = readReport(path)
  if (!report) return { passed: 0, failed: 1 }
  // A file that could not even be loaded has no failed test of its own.
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  )
  const tests = report.testResults.flatMap((file) =>
    file.assertionResults.flatMap(({ status, fullName, failureMessages }) =>
      status === 'failed' ? failure(`${file.name}: ${fullName}`, failureMessages[0]) : [],
    ),
  )
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles.length,
    failures: [...tests, ...brokenFiles.map(({ name, message }) => failure(name, message))],
  }
}

/** The same of a report that Playwright wrote. A test that only passed when repeated counts as failed. */
export function countBrowserTests(path) {
  const report = readReport(path)
  if (!report) return { passed: 0, failed: 1 }
  const { expected, unexpected, flaky } = report.stats
  return {
    passed: expected,
    failed: unexpected + flaky + report.errors.length,
    failures: [
      ...report.suites.flatMap(failedSpecs),
      ...report.errors.map(({ message }) => failure('Playwright', message)),
    ],
  }
}

function failedSpecs({ specs = [], suites = [] }) {
  const own = specs
    .filter(({ ok }) => !ok)
    .map(({ file, line, title, tests }) =>
      failure(
        `${file}:${line}: ${title}`,
        tests.flatMap(({ results }) => results).find(({ error }) => error)?.error.message,
      ),
    )
  return [...own, ...suites.flatMap(failedSpecs)]
}

/** Which test, and how its message begins. */
function failure(name, message = '') {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('at '))
    .slice(0, MESSAGE_LINES)
    .map((line) => `    ${line.length > LINE_LENGTH ? `${line.slice(0, LINE_LENGTH)}…` : line}`)
  return [name.replace(root, ''), ...lines].join('\n')
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return null
  }
}
