import { readdirSync } from 'node:fs'

/**
 * Names in a folder that are not UTF-8, as other systems and old archives leave them: how Node shows them (with U+FFFD, by
 * which nothing can be opened), and how a person can tell each of them: `a\xe9.json`.
 */
export function namesBeyondText(folder: string): { shown: ReadonlySet<string>; escaped: string[] } {
  const names = readdirSync(folder, { encoding: 'buffer' })
  const broken = names.filter((name) => !Buffer.from(name.toString()).equals(name))
  const shown = new Set(broken.map((name) => name.toString()))
  // A name may really hold U+FFFD.
  for (const name of names) if (!broken.includes(name)) shown.delete(name.toString())
  return { shown, escaped: broken.map(escapeBytes) }
}

function escapeBytes(name: Buffer): string {
  return [...name]
    .map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`))
    .join('')
}
