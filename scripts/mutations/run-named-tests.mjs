import { runTests } from './run-tests.mjs'

/** Runs tests by name in one process. Resolves to a sentence for each that is missing or failed. */
export async function runNamedTests(tests) {
  const names = tests.map(({ name }) => name)
  const { results, output } = await runTests([...new Set(tests.map(({ file }) => file))], names)
  if (results.length === 0) return [`The tests did not run:\n${output}`]
  const sentences = tests.flatMap(({ file, name }) => {
    const found = results.filter((result) => result.file === file && result.fullName.endsWith(name))
    if (found.length !== 1) return [`${file} has ${found.length} tests of the name "${name}", not one.`]
    return found[0].status === 'passed' ? [] : [`"${name}" is not green to begin with (${file}).`]
  })
  return [...new Set(sentences)]
}
