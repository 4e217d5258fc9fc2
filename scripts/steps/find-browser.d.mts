/** A browser of the Chromium family that is installed and runs: $CHROMIUM first. `undefined` if there is none. */
export function findBrowser(): string | undefined
