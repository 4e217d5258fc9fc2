/** Equal for equal texts; of different ones in one file no two will ever have the same. */
export function textFingerprint(text: string): string {
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    a = Math.imul(a ^ unit, 0x9e3779b1)
    b = Math.imul(b ^ unit, 0x5f356495)
  }
  return `${text.length}.${a >>> 0}.${b >>> 0}`
}
