/**
 * Collects items and hands them over together: `delayMs` after the first one, and never while an earlier hand-over
 * is still at work. A burst of events thus costs one refresh, and slow refreshes are not started over and over.
 */
export function createBatcher<Item>(delayMs: number, handOver: (items: Item[]) => Promise<unknown>) {
  let items: Item[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let isWorking = false

  function schedule() {
    if (timer !== undefined || isWorking || items.length === 0) return
    timer = setTimeout(async () => {
      timer = undefined
      isWorking = true
      try {
        await handOver(items.splice(0))
      } finally {
        isWorking = false
        schedule()
      }
    }, delayMs)
  }
  return {
    add(item: Item) {
      items.push(item)
      schedule()
    },
    stop() {
      clearTimeout(timer)
      items = []
    },
  }
}
