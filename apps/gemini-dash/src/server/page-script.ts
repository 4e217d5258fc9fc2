import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The address of the script that the built page begins with. It changes with every change of the page, because the names
 * of all parts stand in it and each is named by its content.
 */
export async function pageScript(webFolder: string): Promise<string | null> {
  const html = await readFile(join(webFolder, 'index.html'), 'utf8').catch(() => '')
  return /<script type="module"[^>]* src="([^"]+)"/.exec(html)?.[1] ?? null
}
