#!/usr/bin/env node
// Check the version before importing anything: newer syntax in an import would end in a stack trace.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `gemini-dash needs Node.js 20.19 or newer; this is ${process.versions.node}. Get one at https://nodejs.org\n`,
  )
  process.exitCode = 1
} else {
  // Not awaited: Node.js before 14.8 cannot even parse a top-level `await`.
  import('./command-line/run-command-line.ts').then(({ runCommandLine }) =>
    runCommandLine(process.argv.slice(2)),
  )
}

export {}
