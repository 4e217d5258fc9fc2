import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface RequirementTest {
  /** The requirement numbers at the start of its title. */
  numbers: number[]
  file: string
  title: string
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FOLDERS = ['apps', 'packages', 'fixtures', 'scripts', 'e2e', 'faults']
const TEST_FILE = /(\.test\.tsx?|\.spec\.ts|faults[/\\]parts[/\\][^/\\]+\.ts)$/
/** `'R2, R4: words of the title'`, in any quotes; may also include defect numbers. */
const TITLE = /(['"`])((?:[A-Z]\d+, )*R\d+(?:, [A-Z]\d+)*): ((?:(?!\1)[^\\\n]|\\.)*)\1/g

/** Every title of a test, or of a part of the fault kit, that starts with requirement numbers. */
export function listTests(): RequirementTest[] {
  return FOLDERS.flatMap((folder) => testFiles(join(ROOT, folder))).flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(TITLE)].map(([, , numbers = '', title = '']) => ({
      numbers: numbers
        .split(', ')
        .filter((number) => number.startsWith('R'))
        .map((number) => Number(number.slice(1))),
      file: relative(ROOT, path).replaceAll(sep, '/'),
      title: title.replaceAll(/\\(.)/g, '$1'),
    })),
  )
}

function testFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return /^(node_modules|dist)$/.test(entry.name) ? [] : testFiles(path)
      return TEST_FILE.test(path) ? [path] : []
    })
    .sort()
}
