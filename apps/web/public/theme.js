// Runs before the first paint, so that no page flashes in the other theme. A file of its own because the
// content policy refuses inline scripts. src/lib/browser/theme.ts writes what is read here.
try {
  const theme = localStorage.getItem('gemini-dash.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage can be switched off; the system's theme then stands.
}
