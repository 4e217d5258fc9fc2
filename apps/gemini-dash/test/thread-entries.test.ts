import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'

const ENTRIES = ['cli.js', 'serve-thread.js', 'index-worker.js', 'reader-worker.js', 'keep-worker.js']

/** All files of the built program that this one loads, or may load later. */
function loadedBy(entry: string): Set<string> {
  const loaded = new Set<string>()
  const todo = [entry]
  for (let name = todo.pop(); name !== undefined; name = todo.pop()) {
    const code = readFileSync(join(inject('program'), name), 'utf8')
    for (const [, other = ''] of code.matchAll(/(?:from|import)\s*\(?\s*["'`]\.\/([^"'`]+\.js)["'`]/g)) {
      if (!loaded.has(other)) todo.push(other)
      loaded.add(other)
    }
  }
  return loaded
}

test.each(ENTRIES)('%s loads no entry of another thread, which would begin its work', (entry) => {
  const loaded = loadedBy(entry)
  expect(loaded.size).toBeGreaterThan(0)
  expect(ENTRIES.filter((other) => loaded.has(other))).toEqual([])
})
