import type { Plugin } from 'vite'

interface Change {
  file: string
  search: string
  replace: string
}

/** Changes one file while it is loaded; the file on disk is untouched. */
export function applyMutation({ file, search, replace }: Change): Plugin {
  return {
    name: 'apply-mutation',
    enforce: 'pre',
    transform(code, id) {
      const path = id.split('?')[0] ?? id
      if (!path.endsWith(`/${file}`)) return null
      return { code: code.replace(search, () => replace), map: null }
    },
  }
}
