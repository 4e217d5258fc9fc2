const WORDS =
  /example|placeholder|redacted|changeme|change[-_]me|your[-_]?|dummy|sample|insert|replace|x{6}|\*{3}|\.{3}|-{6}|_{6}|0{8}|1234567890abcdef|abcdefghijkl/i

/** Stands where a secret would: documentation, templates, masked values. A secret has at least six different characters. */
export function isPlaceholder(value: string): boolean {
  return new Set(value.slice(0, 200)).size < 6 || WORDS.test(value.slice(0, 4000))
}
