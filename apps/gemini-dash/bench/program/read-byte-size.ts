const UNITS: Record<string, number> = { '': 1, B: 1, KB: 1e3, MB: 1e6, GB: 1e9 }

/** `200MB`, `1.5 GB` or plain bytes. */
export function readByteSize(option: string, text: string): number {
  const [, digits = '', unit = ''] = /^(\d+(?:[.]\d+)?)\s*([KMG]?B)?$/i.exec(text.trim()) ?? []
  const bytes = Math.round(Number(digits) * (UNITS[unit.toUpperCase()] ?? 0))
  if (bytes > 0) return bytes
  throw new Error(`${option} wants a size such as 200MB or 1GB, not "${text}".`)
}
