import type { QueryFilter } from '../tree/query-tree.ts'

type Amount = Pick<Extract<QueryFilter, { compare: unknown }>, 'compare' | 'value'>

const FACTORS: Record<string, number> = { '': 1, k: 1e3, m: 1e6, b: 1e9 }
const AMOUNT = /^(<=|>=|<|>|=)?(\$?)(\d{1,15}(?:\.\d{1,9})?|\.\d{1,9})([kmb]?)$/i

/** `>50k`, `<=1.5m`, `12`, and `$0.10` of money; null: no such number. */
export function readAmount(kind: 'tokens' | 'cost', text: string): Amount | null {
  const match = AMOUNT.exec(text)
  if (match === null) return null
  const [, compare = '=', dollar, digits, suffix = ''] = match
  if (dollar !== '' && kind === 'tokens') return null
  const value = Number(digits) * (FACTORS[suffix.toLowerCase()] ?? 1)
  return { compare: compare as Amount['compare'], value }
}
