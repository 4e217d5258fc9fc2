/** Where things that the user said are kept: a file, or memory alone. */
export interface KeptList<Item> {
  /** As it is now: another process may have written meanwhile. */
  read(): Item[]
  /**
   * What is kept from now on, of what is kept now: nobody else writes in between. Answers it.
   * @throws if nothing could be kept; then nothing has changed
   */
  update(change: (items: Item[]) => Item[]): Item[]
}

/** For `--no-cache`: nothing outlives the run. */
export function createMemoryList<Item>(): KeptList<Item> {
  let kept: Item[] = []
  return {
    read: () => kept,
    update: (change) => {
      kept = change(kept)
      return kept
    },
  }
}
