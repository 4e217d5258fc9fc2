// Runs before the first paint, so that no page flashes in the other theme or moves. A file of its own because the
// content policy refuses inline scripts. src/lib/browser.ts writes what is read here.
try {
  const values = {
    theme: ['light', 'dark'],
    density: ['compact'],
    sidebar: ['hidden'],
    outline: ['hidden'],
  }
  for (const name in values) {
    const chosen = localStorage.getItem(`gemini-dash.${name}`)
    if (values[name].includes(chosen)) document.documentElement.dataset[name] = chosen
  }
} catch {
  // Storage can be off: the defaults of a new browser apply.
}
