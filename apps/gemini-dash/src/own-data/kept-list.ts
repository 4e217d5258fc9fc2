/** Where things that the user said are kept: a file, or memory alone. */
export interface KeptList<Item> {
  /** As it is now: another process may have written meanwhile. */
  read(): Item[]
  /** @throws if nothing could be kept */
  write(items: Item[]): void
}

/** For `--no-cache`: nothing outlives the run. */
export function createMemoryList<Item>(): KeptList<Item> {
  let kept: Item[] = []
  return {
    read: () => kept,
    write: (items) => {
      kept = items
    },
  }
}
