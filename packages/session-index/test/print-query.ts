import type { QueryTree } from '../src/query/tree.ts'

/** Writes a tree as an equivalent query. */
export function printQuery(tree: QueryTree): string {
  switch (tree.kind) {
    case 'and':
      return tree.of.map(printOperand).join(' ')
    case 'or':
      return tree.of.map(printOperand).join(' OR ')
    case 'not':
      return `-${printOperand(tree.of)}`
    default:
      return printOperand(tree)
  }
}

function printOperand(tree: QueryTree): string {
  switch (tree.kind) {
    case 'and':
    case 'or':
      return `(${printQuery(tree)})`
    case 'not':
      return `(${printQuery(tree)})`
    case 'text':
      return `"${tree.words.join(' ')}"${tree.isPrefix ? '*' : ''}`
    case 'tag':
    case 'project':
      return `${tree.kind}:"${tree.name}"`
    case 'source':
      return `source:${tree.program}`
    case 'note':
      return `note:"${tree.text}"`
    case 'session':
      return `session:"${tree.idPrefix}"`
    case 'model':
    case 'tool':
    case 'file':
      return `${tree.kind}:"${tree.pattern}"`
    case 'status':
      return `status:"${tree.status}"`
    case 'is':
    case 'has':
      return `${tree.kind}:${tree.what}`
    case 'in':
      return `in:${tree.fields.join(',')}`
    case 'tokens':
    case 'cost':
      return `${tree.kind}:${tree.compare}${tree.value}`
    case 'before':
    case 'after':
      return `${tree.kind}:${new Date(tree.timeMs).toISOString()}`
  }
}
