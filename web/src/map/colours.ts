/** The roles that maps draw with. */
const ROLES = [
  ...['canvas', 'surface', 'line', 'line-strong', 'ink', 'ink-2', 'ink-3'],
  ...['accent', 'on-accent', 'err', 'note', 'marker'],
  ...['map-land', 'map-block', 'map-green', 'map-water', 'map-road', 'map-label', 'map-halo', 'map-water-label'],
  ...['map-tag', 'map-on-tag'],
] as const

export type Colours = Record<string, string>

/** The colours of the page as they are now, by role. A map cannot read CSS. */
export function coloursNow(): Colours {
  const style = getComputedStyle(document.documentElement)
  return Object.fromEntries(ROLES.map((role) => [role, style.getPropertyValue(`--${role}`).trim()]))
}

/** Calls back when the page has changed its colours. @returns what ends that */
export function onColours(tell: () => void): () => void {
  const watcher = new MutationObserver(tell)
  watcher.observe(document.documentElement, { attributes: true, attributeFilter: ['data-mantine-color-scheme'] })
  return () => watcher.disconnect()
}
