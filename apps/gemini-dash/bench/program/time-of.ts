/** Milliseconds until the work is done, and its result. */
export async function timeOf<Result>(
  work: () => Result | Promise<Result>,
): Promise<{ milliseconds: number; result: Result }> {
  const startedAt = performance.now()
  const result = await work()
  return { milliseconds: performance.now() - startedAt, result }
}
