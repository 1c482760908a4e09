/** The colour roles used on maps. */
const ROLES = [
  ...['canvas', 'surface', 'line', 'line-strong', 'ink', 'ink-2', 'ink-3'],
  ...['accent', 'on-accent', 'err', 'warn', 'note', 'marker'],
  ...['map-land', 'map-block', 'map-green', 'map-water', 'map-road', 'map-label', 'map-halo', 'map-water-label'],
  ...['map-tag', 'map-on-tag'],
] as const

export type Colours = Record<string, string>

/** The current colours by role. Maps cannot read CSS variables. */
export function coloursNow(): Colours {
  const style = getComputedStyle(document.documentElement)
  return Object.fromEntries(ROLES.map((role) => [role, style.getPropertyValue(`--${role}`).trim()]))
}

/** Whether the page is dark now. */
export const isDarkNow = (): boolean => document.documentElement.dataset.mantineColorScheme === 'dark'

/** Calls `listener` when the colour scheme changes. @returns a function to unsubscribe */
export function onColours(listener: () => void): () => void {
  const watcher = new MutationObserver(listener)
  watcher.observe(document.documentElement, { attributes: true, attributeFilter: ['data-mantine-color-scheme'] })
  return () => watcher.disconnect()
}
