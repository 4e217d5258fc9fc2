import { apiPaths } from '@gemini-dash/api/paths'
import { fetchJson } from '../api/request/fetch-json.ts'

/**
 * The program of a page. Where it cannot be had the server is asked why: a refusal says how to sign in, a server that is gone
 * comes back. Only if neither is the case the file itself is gone, and the router loads the whole page anew.
 */
export async function loadPage<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    await fetchJson(apiPaths.health())
    // By these words the router knows that a file is gone; Vite has others for a style sheet.
    throw new Error(`Failed to fetch dynamically imported module: ${error}`, { cause: error })
  }
}
