import type { Element, ElementContent, Root, RootContent, Text } from 'hast'

/**
 * A rehype plugin that shows raw HTML as the text it was written as. Without it sanitizing takes the tags away, and
 * an answer about HTML loses what it is about.
 */
export function rehypeRawAsText() {
  return (tree: Root) => {
    tree.children = tree.children.map((node) => {
      const text = toText(node)
      return text ? { type: 'element', tagName: 'p', properties: {}, children: [text] } : withTexts(node)
    })
  }
}

function withTexts<T extends RootContent | ElementContent>(node: T): T {
  if (node.type !== 'element') return node
  const children = node.children.map((child) => toText(child) ?? withTexts(child))
  return { ...(node as Element), children } as T
}

/** `raw` is not a node of HTML trees proper; it stands only between the Markdown and the sanitizer. */
function toText(node: RootContent | ElementContent): Text | null {
  const isRaw = (node.type as string) === 'raw' && 'value' in node
  return isRaw ? { type: 'text', value: node.value } : null
}
