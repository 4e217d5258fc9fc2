/** Path of an installed, working Chromium-based browser: $CHROMIUM first. `undefined` if there is none. */
export function findBrowser(): string | undefined
