import { defineConfig, mergeConfig } from 'vite'
import { copyProgramFiles } from './build/copy-program-files.ts'
import { programBuild } from './build/program-build.ts'
import { thirdPartyNotices } from './build/third-party-notices.ts'

export default defineConfig(
  mergeConfig(programBuild('dist'), { plugins: [copyProgramFiles(), thirdPartyNotices()] }),
)
