import { existsSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { normalizePath, type Plugin } from 'vite'

const SOURCES = fileURLToPath(new URL('../src', import.meta.url))
const INSTEAD = join(SOURCES, 'paper', 'instead')

/**
 * What a part of the page needs a script for stands once more below `src/paper/instead`, at the same path: the build of the
 * paper takes that one. The page itself knows nothing of it.
 */
export function takePaperParts(): Plugin {
  return {
    name: 'take-paper-parts',
    enforce: 'pre',
    buildStart() {
      const parts = readdirSync(INSTEAD, { recursive: true, encoding: 'utf8' }).filter((path) =>
        /\.tsx?$/.test(path),
      )
      const alone = parts.filter((path) => !existsSync(join(SOURCES, path)))
      if (alone.length > 0) this.error(`Nothing of the page stands where these do: ${alone.join(', ')}`)
    },
    async resolveId(source, importer, options) {
      if (importer === undefined || !source.startsWith('.')) return null
      const found = await this.resolve(source, importer, { ...options, skipSelf: true })
      if (found === null) return null
      const path = relative(SOURCES, found.id)
      const instead = join(INSTEAD, path)
      // one that stands in the place of another may use it
      const isItself = normalizePath(importer) === normalizePath(instead)
      return path.startsWith('..') || isItself || !existsSync(instead) ? found : normalizePath(instead)
    },
  }
}

/** A class of a selector; what stands behind the point in a number is none. */
const CLASS_NAME = /\.([A-Za-z_][\w-]*)/g

/**
 * A long session names its classes some thirty thousand times: in the style sheet and in what is drawn they have names of
 * one or two letters.
 */
export function shortenClassNames(): Plugin {
  return {
    name: 'shorten-class-names',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const names = new Map<string, string>()
        const files = Object.values(bundle)
        for (const file of files) {
          if (file.type !== 'asset' || !file.fileName.endsWith('.css')) continue
          const style = Buffer.from(file.source).toString()
          file.source = style.replace(CLASS_NAME, (_, name: string) => {
            if (!names.has(name)) names.set(name, `${SHORT_PREFIX}${names.size.toString(36)}`)
            return `.${names.get(name)}`
          })
        }
        if (names.size === 0) this.error('The style sheet has no class.')
        for (const file of files)
          if (file.type === 'chunk')
            file.code = file.code.replaceAll('__CLASS_NAMES__', JSON.stringify(Object.fromEntries(names)))
      },
    },
  }
}

/** A class begins with a letter; none of the page begins with this one and a figure. */
const SHORT_PREFIX = 'z'
