import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { pagePackages } from './page-packages.ts'

interface BundledPackage {
  name: string
  version: string
  license: string
  text: string
}

const PAGE_FOLDER = fileURLToPath(new URL('../../web', import.meta.url))

/** Writes THIRD_PARTY_NOTICES.txt: name, version and license of every package whose code is shipped. */
export function thirdPartyNotices(): Plugin {
  return {
    name: 'third-party-notices',
    apply: 'build',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
      const ofProgram = modules.map(packageFolder).filter((folder) => folder !== null)
      const packages = [...new Set([...ofProgram, ...pagePackages(PAGE_FOLDER)])].map(describePackage)
      this.emitFile({ type: 'asset', fileName: 'THIRD_PARTY_NOTICES.txt', source: notices(packages) })
    },
  }
}

/** `.../node_modules/@scope/name` of a module in it; null for our own code. */
function packageFolder(moduleId: string): string | null {
  const match = /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(moduleId.replaceAll('\\', '/'))
  const folder = match?.[1]
  return folder !== undefined && existsSync(join(folder, 'package.json')) ? folder : null
}

function describePackage(folder: string): BundledPackage {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each))
  if (file === undefined && license === undefined) throw new Error(`${name} ${version} names no licence`)
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim()
  return { name, version, license: license ?? 'see below', text }
}

/** Most licenses differ only in the copyright holder: their text is printed once, below all packages it applies to. */
function notices(packages: BundledPackage[]): string {
  const sections = new Map<string, { heads: string[]; words: string }>()
  for (const { name, version, license, text } of packages.toSorted((a, b) => a.name.localeCompare(b.name))) {
    const lines = text.split(/\r?\n/)
    const holders = lines.filter(isHolder).map((line) => line.trim())
    const words = lines
      .filter((line) => !isHolder(line))
      .join('\n')
      .trim()
    const key = words.replace(/\s+/g, ' ')
    const section = sections.get(key) ?? { heads: [], words: words.replace(/\n{3,}/g, '\n\n') }
    section.heads.push([`${name} ${version} (${license})`, ...holders].join('\n  '))
    sections.set(key, section)
  }
  const texts = [...sections.values()].map(({ heads, words }) => `${heads.join('\n')}\n\n${words}`)
  return `${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

function isHolder(line: string): boolean {
  return /^\s*(copyright\b.*(\d{4}|\(c\)|©)|(\(c\)|©)\s*\d{4})/i.test(line)
}
