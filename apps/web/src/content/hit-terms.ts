/** The words of a query that can be marked in a text: phrases whole, operators and excluded words left out. */
export function hitTerms(query: string): string[] {
  const terms: string[] = []
  for (const match of query.matchAll(/(-?)(?:"([^"]*)"|(\S+))/g)) {
    const isExcluded = match[1] === '-'
    const term = (match[2] ?? withoutSyntax(match[3] ?? '')).trim()
    if (!isExcluded && term !== '' && term !== 'OR' && term !== 'AND') terms.push(term)
  }
  return [...new Set(terms)]
}

function withoutSyntax(word: string): string {
  if (/^[a-z]+:\S/i.test(word) && !word.includes('//')) return ''
  return word.replace(/^["(]+|[")*]+$/g, '')
}
