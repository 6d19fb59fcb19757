/** The mark: a ship's wheel. */
export function Wheel({ className = "size-6" }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden>
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <g fill="none" className="stroke-on-accent" strokeWidth="2" strokeLinecap="round">
        <circle cx="16" cy="16" r="6.5" />
        <path d="M16 5.5v21M5.5 16h21M8.6 8.6l14.8 14.8M23.4 8.6 8.6 23.4" strokeWidth="1.6" />
      </g>
    </svg>
  );
}
