/** A patch that `git apply` and `patch -p1` take: the hunks under the heads that they know. '' where there is none. */
export function copiedPatch(patch: string, path: string, isNewFile: boolean): string {
  const start = patch.startsWith('@@') ? 0 : patch.indexOf('\n@@') + 1
  if (start === 0 && !patch.startsWith('@@')) return ''
  const name = path.replace(/^\/+/, '')
  const hunks = patch.slice(start)
  return `--- ${isNewFile ? '/dev/null' : `a/${name}`}\n+++ b/${name}\n${hunks.endsWith('\n') ? hunks : `${hunks}\n`}`
}
