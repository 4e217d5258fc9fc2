import { buildLibrary } from './steps/build-library.mjs'
import { buildProgram } from './steps/build-program.mjs'
import { installPackages } from './steps/install/install-packages.mjs'
import { sayAndExit } from './steps/say-and-exit.mjs'

// npm run build: the page, then the program that includes it (apps/gemini-dash/dist), then the library (packages/gemini-sessions/dist).
try {
  await installPackages()
  await buildProgram({ always: true })
  await buildLibrary()
} catch (error) {
  sayAndExit(error)
}
