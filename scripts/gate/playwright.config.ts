import config from '../../playwright.config.ts'
import leftOut from './left-out.json' with { type: 'json' }

// The browser tests of `npm test`: all except the files in left-out.json.
export default {
  ...config,
  testDir: '../../e2e',
  outputDir: '../../test-results',
  testIgnore: leftOut.browser.map(({ file }) => `**/${file}`),
}
