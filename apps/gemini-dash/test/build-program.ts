import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, mergeConfig, type Plugin } from 'vite'
import type { TestProject } from 'vitest/node'
import { programBuild } from '../build/program-build.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the built program and its workers, for this run. */
    program: string
  }
}

/**
 * Tests run the built program: the one named by PROGRAM_FOLDER, or else one that is built once per run, in a folder of its own, so that
 * concurrent runs do not conflict.
 */
export default async function buildProgram(project: TestProject): Promise<() => void> {
  const built = process.env.PROGRAM_FOLDER
  if (built === undefined) return buildProgramWith([], project)
  project.provide('program', built)
  return () => undefined
}

/** The same with code changed by plugins. */
export async function buildProgramWith(plugins: Plugin[], { provide }: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'gemini-dash-program-'))
  await buildInto(folder, plugins)
  provide('program', folder)
  return () => rmSync(folder, { recursive: true, force: true })
}

/** The program without the page and the samples. */
export async function buildInto(folder: string, plugins: Plugin[] = []): Promise<void> {
  await build(mergeConfig(programBuild(folder), { configFile: false, logLevel: 'warn', plugins }))
}
