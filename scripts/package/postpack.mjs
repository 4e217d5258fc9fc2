import { restoreManifest } from './restore-manifest.mjs'

// npm runs this when it has packed the program.
restoreManifest()
