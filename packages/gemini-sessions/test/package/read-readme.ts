import { readFileSync } from 'node:fs'

/** The README that is published with the library. */
export function readReadme(): string {
  return readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
}

/** The code blocks of a language, in order. */
export function codeBlocks(readme: string, language: string): string[] {
  return [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, name, code]) =>
    name === language && code !== undefined ? [code] : [],
  )
}
