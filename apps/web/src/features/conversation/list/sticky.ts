/** What the bars at the top of the window cover. */
export const STICKY_PX = 96
