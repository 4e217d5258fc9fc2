/** `20`, `12.50`, `12,5` or `$20` as dollars; null for what is no amount above 0. */
export function readAmount(text: string): number | null {
  const digits = text.replace(/^\s*\$/, '').trim()
  if (!/^\d{1,9}(?:[.,]\d{1,2})?$/.test(digits)) return null
  const usd = Number(digits.replace(',', '.'))
  return usd > 0 ? usd : null
}
