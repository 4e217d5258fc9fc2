/** The twins of Gemini as a calliper: the mark of the house. */
export function Mark() {
  return (
    <svg
      viewBox="0 0 20 20"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
    >
      <path d="M3 2.75c4.4 1.7 9.6 1.7 14 0M3 17.25c4.4-1.7 9.6-1.7 14 0" />
      <path d="M7 4.2v11.6M13 4.2v11.6" />
      <path d="M10 8v4" strokeWidth="1.5" opacity=".55" />
    </svg>
  )
}
