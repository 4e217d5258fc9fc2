/** What is not watched, what happens instead, and what to raise. */
export function explainWatchLimit(unwatched: number, code: string): { message: string; advice: string } {
  const what = unwatched === 1 ? '1 folder' : `${unwatched} folders`
  return {
    message: `The system lets us watch no more folders (${code}): ${what} of sessions are looked at every 30 seconds instead, so changes there are seen later.`,
    advice:
      code === 'ENOSPC'
        ? 'Raise fs.inotify.max_user_watches (sudo sysctl fs.inotify.max_user_watches=524288).'
        : 'Raise fs.inotify.max_user_instances (sudo sysctl fs.inotify.max_user_instances=1024) or the limit of open files (ulimit -n).',
  }
}
