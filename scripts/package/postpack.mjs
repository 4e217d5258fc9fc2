import { restoreManifest } from './restore-manifest.mjs'

// npm runs this after packing the program.
restoreManifest()
