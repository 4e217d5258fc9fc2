// Runs in the page that bench-opening.ts measures, before the page's own program: looks at each frame for what a reader
// would see. A file of its own, because what is compiled needs helpers that the page has not.
let endFrom = null
const opening = { firstMs: null, wholeMs: null, endMs: null, endShift: 0, watchEnd, bytesOfAnswers }
window.opening = opening

/** From the next key on: how long it takes to the last message. */
function watchEnd() {
  const begin = () => {
    endFrom = performance.now()
  }
  addEventListener('keydown', begin, { once: true, capture: true })
}

/** That came over the wire so far. */
function bytesOfAnswers() {
  return performance
    .getEntriesByType('resource')
    .filter(({ name }) => new URL(name).pathname.startsWith('/api/'))
    .reduce((sum, { transferSize }) => sum + transferSize, 0)
}

function isInSight(element) {
  const { top, bottom } = element.getBoundingClientRect()
  return top < innerHeight && bottom > 0
}

/** The last of all messages, in its place: nothing below it is still on its way. */
function isLast(article) {
  return article.getAttribute('aria-posinset') === article.getAttribute('aria-setsize') && isInSight(article)
}

/** The strip is drawn of the map, the outline of all turns. */
function isWhole() {
  return document.querySelector('svg.minimap') !== null && document.querySelector('.outline-turn') !== null
}

function look() {
  const articles = [...document.querySelectorAll('.conversation article[aria-posinset]')]
  const now = performance.now()
  if (opening.firstMs === null && articles.some(isInSight)) opening.firstMs = now
  if (opening.wholeMs === null && opening.firstMs !== null && isWhole()) opening.wholeMs = now
  if (endFrom !== null && opening.endMs === null && articles.some(isLast)) opening.endMs = now - endFrom
  requestAnimationFrame(look)
}

requestAnimationFrame(look)
new PerformanceObserver((list) => {
  for (const entry of list.getEntries())
    if (endFrom !== null && entry.startTime >= endFrom) opening.endShift += entry.value
}).observe({ type: 'layout-shift', buffered: true })
