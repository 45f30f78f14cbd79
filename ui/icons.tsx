const LINE = {
  fill: 'none',
  stroke: 'currentColor',
  'stroke-linecap': 'round',
  'aria-hidden': true,
} as const;

export function SearchIcon() {
  return (
    <svg width="14" height="14" viewBox="0 0 14 14" {...LINE} stroke-width="1.5">
      <circle cx="6" cy="6" r="4.2" />
      <path d="M9.2 9.2 13 13" />
    </svg>
  );
}

export function BrandIcon() {
  return (
    <svg width="18" height="18" viewBox="0 0 18 18" {...LINE} stroke-width="1.7">
      <path d="M3 15.5C3 8 7 3 15 2.5c0 3-.8 5.2-2.3 7H8.5M3.2 12.5h5.6" />
    </svg>
  );
}

export function ThemeIcon() {
  return (
    <svg width="15" height="15" viewBox="0 0 16 16" {...LINE} stroke-width="1.4">
      <circle cx="8" cy="8" r="6" />
      <path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor" />
    </svg>
  );
}
