import { runTests } from './run-tests.mjs'

const AT_ONCE = 2
/** Messages of failed assertions, which `expect.poll` throws as plain errors, with or without color; in a browser, a timeout of waiting. */
const NOTICED =
  /AssertionError|^Error: (?:expected [\s\S]+ to |\S*expect\()|Property failed|Fuzzing of \w+ found|fails again|Matcher did not succeed|Timed out in waitUntil|Cannot find element|TimeoutError/

/** Runs the test of each mutation against it. Resolves to a sentence for each undetected one. */
export async function runMutations(mutations) {
  const waiting = [...mutations]
  const sentences = []
  const work = async () => {
    for (let mutation = waiting.shift(); mutation; mutation = waiting.shift()) {
      const sentence = await survival(mutation)
      process.stdout.write(sentence === null ? '.' : 'F')
      if (sentence !== null) sentences.push(sentence)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  process.stdout.write('\n')
  return sentences
}

/** null if the test failed on an assertion, not because the code no longer runs. */
async function survival(mutation) {
  const { item, file, search, test } = mutation
  const { results, output } = await runTests([test.file], [test.name], mutation)
  const result = results.find(({ fullName }) => fullName.endsWith(test.name))
  const without = `Item ${item}: without "${search}" in ${file}`
  if (!result) return `${without}, the test "${test.name}" did not run:\n${output}`
  if (result.status !== 'failed') return `${without}, the test "${test.name}" is still green (${test.file}).`
  const isAssertion = result.messages.some((message) => NOTICED.test(message))
  return isAssertion ? null : `${without}, the code breaks instead of the rule: ${result.messages[0]}`
}
