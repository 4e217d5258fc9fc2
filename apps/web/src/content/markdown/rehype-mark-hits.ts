import type { Element, ElementContent, Root, RootContent } from 'hast'
import type { HitTerm } from '../text/hit-context.ts'
import { markRanges } from '../text/mark-ranges.ts'

/** A rehype plugin that marks the words of the search in prose. Code marks its own. */
export function rehypeMarkHits(terms: readonly HitTerm[]) {
  return (tree: Root) => {
    tree.children = tree.children.flatMap((node) => markNode(node, terms)) as RootContent[]
  }
}

function markNode(
  node: RootContent | ElementContent,
  terms: readonly HitTerm[],
): (RootContent | ElementContent)[] {
  if (node.type === 'text') return markRanges(node.value, terms).map(toNode)
  if (node.type !== 'element' || node.tagName === 'pre') return [node]
  return [{ ...node, children: node.children.flatMap((child) => markNode(child, terms)) as ElementContent[] }]
}

function toNode(piece: { text: string; isHit: boolean }): ElementContent {
  const text = { type: 'text', value: piece.text } as const
  if (!piece.isHit) return text
  return { type: 'element', tagName: 'mark', properties: {}, children: [text] } satisfies Element
}
