/** `1.25`, `0,075` or `$2` as dollars; undefined where nothing is written, null for what is no price. */
export function readRate(text: string): number | undefined | null {
  const digits = text.replace(/^\s*\$/, '').trim()
  if (digits === '') return undefined
  return /^\d{1,6}(?:[.,]\d{1,5})?$/.test(digits) ? Number(digits.replace(',', '.')) : null
}
