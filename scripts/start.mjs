import { pathToFileURL } from 'node:url'
import { buildProgram, builtProgram } from './steps/build-program.mjs'
import { installPackages } from './steps/install/install-packages.mjs'
import { sayAndExit } from './steps/say-and-exit.mjs'

// npm start [-- arguments of gemini-dash]: from a fresh clone to the running dashboard.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  sayAndExit(`gemini-dash needs Node.js 20.19 or newer; this is ${process.versions.node}.`)
}
try {
  await installPackages()
  await buildProgram()
} catch (error) {
  sayAndExit(error)
}
// In this process: signals reach the program directly, and it parses the arguments after `--` itself.
await import(pathToFileURL(builtProgram).href)
