export function UsagePage() {
  return <main id="main" tabIndex={-1} />
}
