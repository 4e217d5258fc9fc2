import type { Plugin } from 'vite'

/** A class in a selector; digits after a decimal point do not match. */
const CLASS_NAME = /\.([A-Za-z_][\w-]*)/g

/**
 * A long session repeats its class names some thirty thousand times: in the style sheet and the output they are shortened to one or two
 * letters.
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

/** Class names start with a letter; no original one starts with this letter and a digit. */
const SHORT_PREFIX = 'z'
