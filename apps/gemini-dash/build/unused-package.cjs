// Stands for packages that the program carries along but never runs: see program-build.ts.
module.exports = () => {
  throw new Error('This package is left out of the program.')
}
