import { pageBuild } from './page-build.ts'

/**
 * A part of the page is not on the server any more: most likely gemini-dash was updated, and its events have not told yet. The
 * notice of it comes at once. The error itself goes on to whoever wanted the part, and is drawn in its place alone.
 */
export function hearPreloadErrors(): void {
  window.addEventListener('vite:preloadError', () => void pageBuild.ask())
}
