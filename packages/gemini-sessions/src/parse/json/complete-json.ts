import { scanOpen } from './scan-open.ts'

/**
 * Parses a JSON text that was cut off anywhere: open strings, lists and objects are closed, a field without
 * its value is left out. Undefined where even that gives no JSON.
 */
export function completeJson(text: string): unknown {
  const scan = scanOpen(text)
  const candidates = scan.isInString
    ? [`${text.replace(/\\(u[0-9a-fA-F]{0,3})?$/, '')}"`, text.slice(0, scan.safeEnd)]
    : [text, text.slice(0, scan.safeEnd)]
  const closings = [scan.closing, scan.safeClosing]
  for (const [index, candidate] of candidates.entries()) {
    try {
      return JSON.parse(candidate + closings[index])
    } catch {
      // The next candidate gives up the last, incomplete field.
    }
  }
  return undefined
}
