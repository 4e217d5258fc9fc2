import { defineConfig, type UserWorkspaceConfig } from 'vitest/config'
import config from '../../vitest.config.ts'
import leftOut from './left-out.json' with { type: 'json' }

// The tests of `npm test`: all except the files in left-out.json.
const [unit, page] = (config.test?.projects ?? []) as UserWorkspaceConfig[]
const without = (project: UserWorkspaceConfig | undefined, files: { file: string }[]) => ({
  ...project,
  test: { ...project?.test, exclude: ['**/node_modules/**', ...files.map(({ file }) => file)] },
})

export default defineConfig({
  ...config,
  test: {
    ...config.test,
    projects: [
      without(unit, leftOut.unit),
      // paths are relative to the page's folder
      without(
        page,
        leftOut.page.map(({ file }) => ({ file: file.replace('apps/web/', '') })),
      ),
    ],
  },
})
