/**
 * Manifest fields that contain the owner and repository.
 *
 * @param {{ author: string, repository: string }} owner
 * @param {string} directory of the package in the repository
 */
export function ownedFields({ author, repository }, directory) {
  return {
    author,
    homepage: `${repository}#readme`,
    bugs: `${repository}/issues`,
    repository: { type: 'git', url: `git+${repository}.git`, directory },
  }
}

/**
 * A README whose pictures and links point to the repository: on the registry there are no files beside it.
 *
 * @param {string} text
 * @param {string} repository
 */
export function ownedReadme(text, repository) {
  const raw = repository.replace('//github.com/', '//raw.githubusercontent.com/')
  return text
    .replaceAll(/https:\/\/raw\.githubusercontent\.com\/[^/]+\/[^/]+\/HEAD/g, `${raw}/HEAD`)
    .replaceAll(/https:\/\/github\.com\/[^/]+\/[^/]+\/blob\/HEAD/g, `${repository}/blob/HEAD`)
}

/**
 * The manifest as published: without build fields, which name versions that only this workspace knows.
 *
 * @param {Record<string, unknown>} manifest
 */
export function cleanManifest({ devDependencies: _, scripts: __, ...kept }) {
  return kept
}

/**
 * Reasons against publishing, as sentences.
 *
 * @param {{ manifest: string, readme: string, files: { path: string, sizeBytes: number }[] }} packed
 * @param {number} mostBytes
 */
export function faultsOf({ manifest, readme, files }, mostBytes) {
  const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0)
  const maps = files.filter(({ path }) => path.endsWith('.map'))
  return [
    ...(/catalog:|workspace:/.test(manifest)
      ? ['The manifest names versions that only this workspace knows.']
      : []),
    ...(/\]\((?!https:|#)/.test(readme)
      ? ['The README leads to a place that is not beside it once it is published.']
      : []),
    ...maps.map(({ path }) => `${path} is a source map.`),
    ...(sizeBytes > mostBytes ? [`The files take ${sizeBytes} bytes, more than ${mostBytes}.`] : []),
  ]
}
