import { DARK, type Flavor, LIGHT } from '@protomaps/basemaps'
import type { Colours } from '../../colours.ts'

/** The role that colours a part of the basemap, by the name of the part; the first that matches. */
const ROLES: [part: RegExp, role: string][] = [
  [/casing/, 'line'],
  [/^(tunnel|bridges)_|^(other|minor|link|major|highway|pier|runway)/, 'map-road'],
  [/^(park|wood|scrub|zoo)/, 'map-green'],
  [/^(background|earth)$/, 'map-land'],
  [/^water$/, 'map-water'],
  [/^ocean_label$/, 'map-water-label'],
  [/halo/, 'map-halo'],
  [/label/, 'map-label'],
  [/^(boundaries|railway)$/, 'line-strong'],
  [/./, 'map-block'],
]

/** The names by which the basemap marks the weight of a text. */
export const FONTS = { regular: 'regular', bold: 'bold', italic: 'italic' }

/** The basemap in the colours of the console. */
export function flavorOf(colours: Colours, isDark: boolean): Flavor {
  const { landcover: _landcover, ...flavor } = isDark ? DARK : LIGHT
  const parts = Object.keys(flavor).filter((part) => part !== 'pois' && !(part in FONTS))
  const coloured = parts.map((part) => [part, colours[ROLES.find(([pattern]) => pattern.test(part))![1]]])
  return { ...flavor, ...Object.fromEntries(coloured), ...FONTS }
}
