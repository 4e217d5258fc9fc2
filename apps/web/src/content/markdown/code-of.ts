import type { Element, ElementContent } from 'hast'

/** The text and the language of a fenced block, from its `pre` element. */
export function codeOf(pre: Element | undefined): { code: string; language: string | null } {
  const code = pre?.children.find((child) => child.type === 'element' && child.tagName === 'code')
  const classes = code?.type === 'element' ? code.properties.className : null
  const name = Array.isArray(classes)
    ? classes.map(String).find((name) => name.startsWith('language-'))
    : undefined
  return {
    code: textOf(pre?.children ?? []).replace(/\n$/, ''),
    language: name?.slice('language-'.length) ?? null,
  }
}

function textOf(nodes: readonly ElementContent[]): string {
  return nodes
    .map((node) => (node.type === 'text' ? node.value : node.type === 'element' ? textOf(node.children) : ''))
    .join('')
}
