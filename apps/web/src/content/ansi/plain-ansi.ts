import { stripControls } from './strip-controls.ts'

/** Text and colour sequences alone, as they stood on the screen at last. */
export function plainAnsi(text: string): string {
  return stripControls(lastOverwrite(text))
}

/** A progress bar writes its line again and again after `\r`; what stayed on the screen is the last writing. */
function lastOverwrite(text: string): string {
  if (!text.includes('\r')) return text
  return text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => {
      const end = line.endsWith('\r') ? line.length - 1 : line.length
      return line.slice(line.lastIndexOf('\r', end - 1) + 1, end)
    })
    .join('\n')
}
