/**
 * How many letters have to be put in, taken out, replaced or swapped with their neighbour to make one word of the
 * other; above `limit` just something larger than it.
 */
export function editDistance(a: string, b: string, limit: number): number {
  const [one, other] = [[...a], [...b]]
  if (Math.abs(one.length - other.length) > limit) return limit + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [i, letter] of one.entries()) {
    const row = [i + 1]
    for (const [j, wanted] of other.entries()) {
      const replaced = (last[j] ?? 0) + Number(letter !== wanted)
      const isSwap = i > 0 && j > 0 && letter === other[j - 1] && one[i - 1] === wanted
      const swapped = isSwap ? (beforeLast[j - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY
      row.push(Math.min((last[j + 1] ?? 0) + 1, (row[j] ?? 0) + 1, replaced, swapped))
    }
    if (Math.min(...row) > limit) return limit + 1
    beforeLast = last
    last = row
  }
  return last[other.length] ?? 0
}
