export function ProjectPage() {
  return <main id="main" tabIndex={-1} />
}
