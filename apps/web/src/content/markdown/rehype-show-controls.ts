import type { Element, ElementContent, Root, RootContent } from 'hast'
import { isActing, visibleControls } from '../text/visible-controls.ts'

/** A rehype plugin that writes out what would act unseen in prose, and in its code all that is invisible. Blocks of code show their own. */
export function rehypeShowControls() {
  return (tree: Root) => {
    tree.children = tree.children.flatMap((node) => showIn(node, false)) as RootContent[]
  }
}

function showIn(node: RootContent | ElementContent, isCode: boolean): (RootContent | ElementContent)[] {
  if (node.type === 'text') {
    const runs = isCode ? visibleControls(node.value) : visibleControls(node.value, isActing)
    return runs.map(({ text, control }) =>
      control === null ? { type: 'text', value: text } : toMark(control),
    )
  }
  if (node.type !== 'element' || node.tagName === 'pre') return [node]
  const children = node.children.flatMap((child) => showIn(child, isCode || node.tagName === 'code'))
  return [{ ...node, children: children as ElementContent[] }]
}

function toMark(control: string): Element {
  return {
    type: 'element',
    tagName: 'span',
    properties: { className: ['control-mark'], title: `Invisible character ${control}` },
    children: [{ type: 'text', value: control }],
  }
}
