// What an event with a row changes in answers that are there already: pure, for the page, which need not ask again.

export { patchList } from './patch-list.ts'
export { patchProjects } from './patch-projects.ts'
export { patchUsage } from './patch-usage.ts'
export { countedFigures, type Placed, type RowChange, toRowChange } from './row-change.ts'
