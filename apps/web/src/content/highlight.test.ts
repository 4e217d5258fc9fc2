import { describe, expect, test } from 'vitest'
import { languageName, languageOfPath } from './highlight.ts'
import { highlightCode } from './highlight-code.ts'

async function rolesOf(code: string, language: string): Promise<[string, string | null][]> {
  const lines = (await highlightCode(code, language)) ?? []
  return lines.flatMap((line) =>
    line.tokens.map((token) => [token.text.trim(), token.role] as [string, string | null]),
  )
}

describe('coloured code', () => {
  test.each<[string, string, [string, string]]>([
    ['javascript', 'import { a } from "./b.js" // why', ['"./b.js"', 'string']],
    ['typescript', 'const a: number = 1', ['const', 'keyword']],
    ['tsx', 'const a = <b>{1}</b>', ['const', 'keyword']],
    ['python', 'def f(a): # why', ['f', 'name']],
    ['bash', 'echo "a" # why', ['# why', 'comment']],
    ['go', 'func main() {}', ['func', 'keyword']],
    ['rust', 'let a = 1;', ['1', 'number']],
    ['json', '{"a": 1}', ['1', 'number']],
    ['yaml', 'a: "b"', ['"b"', 'string']],
    ['css', 'a { color: red } /* why */', ['/* why */', 'comment']],
  ])('%s tells its roles apart', async (language, code, expected) => {
    expect(await rolesOf(code, language)).toContainEqual(expected)
  })

  test('is the same text, at the offsets it says', async () => {
    const code = 'const a = 1\n\n// done 世界\n'
    const lines = (await highlightCode(code, 'javascript')) ?? []
    expect(lines.map((line) => line.tokens.map((token) => token.text).join('')).join('\n')).toBe(code)
    for (const token of lines.flatMap((line) => line.tokens)) {
      expect(code.startsWith(token.text, token.start)).toBe(true)
    }
  })

  test('of an unknown language stays plain', async () => {
    expect(await highlightCode('x', 'klingon')).toBeNull()
    expect(await highlightCode('x', '__proto__')).toBeNull()
  })
})

describe('the name of a language', () => {
  test.each([
    ['ts', 'typescript'],
    ['JS {1,3}', 'javascript'],
    ['c++', 'cpp'],
    ['', null],
    [null, null],
  ])('%s is %s', (fence, name) => {
    expect(languageName(fence)).toBe(name)
  })

  test('is told by a file', () => {
    expect(languageOfPath('/a/b/price.test.ts')).toBe('typescript')
    expect(languageOfPath('C:\\x\\Dockerfile')).toBe('docker')
    expect(languageOfPath('LICENSE')).toBeNull()
  })
})
