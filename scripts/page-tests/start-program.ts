import { join } from 'node:path'
import { build, mergeConfig } from 'vite'
import type { TestProject } from 'vitest/node'
import { programBuild } from '../../apps/gemini-dash/build/program-build.ts'
import { makeSandbox } from '../../e2e/fixtures/demo-home.ts'
import { startProgram } from '../../e2e/fixtures/program.ts'
import { writeToolsHome } from '../../e2e/fixtures/write-tools-home.ts'
import type { Health } from '../../packages/api/src/index.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Origin of the program used by page tests. */
    origin: string
    /** Copy of the demo home that it reads. */
    home: string
  }
}

/** Page tests use the real program, with the demo home and one that calls every tool. */
export default async function start({ provide }: TestProject): Promise<() => Promise<void>> {
  const sandbox = makeSandbox('demo')
  const tools = join(sandbox.folder, 'tools')
  writeToolsHome(tools)
  const folder = process.env.PROGRAM_FOLDER ?? (await buildInHaste(join(sandbox.folder, 'program')))
  const program = await startProgram({ ...sandbox, homes: [...sandbox.homes, tools] }, 0, {
    cli: join(folder, 'cli.js'),
    flags: ['--no-token'],
  })
  provide('origin', program.origin)
  provide('home', sandbox.home)
  await whenIndexed(program.origin)
  return async () => {
    await program.stop()
    sandbox.remove()
  }
}

async function buildInHaste(folder: string): Promise<string> {
  // a temporary build need not be small
  const options = { configFile: false as const, logLevel: 'warn' as const, build: { minify: false } }
  await build(mergeConfig(programBuild(folder), options))
  return folder
}

/** Before that, figures of a session still change. */
async function whenIndexed(origin: string): Promise<void> {
  for (;;) {
    const { index } = (await (await fetch(`${origin}/api/health`)).json()) as Health
    if (index.state === 'ready') return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
