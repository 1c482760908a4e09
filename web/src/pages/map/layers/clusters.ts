import type { ExpressionSpecification } from 'maplibre-gl'
import type { Colours } from '../../../map/colours.ts'
import { clusterIcon, type Icon, type RingPart } from '../../../map/icons.ts'
import { PARTS, type Part } from './spot.ts'

const MAX_SHARE = 12
/** The radius in pixels from a number of places on. */
export const RADII = [
  [0, 14],
  [10, 16],
  [100, 19],
  [1000, 22],
  [10_000, 26],
] as const

const countOf = (part: Part): ExpressionSpecification => ['coalesce', ['get', part], 0]
/** How many places a feature stands for. */
export const COUNT: ExpressionSpecification = ['+', ...PARTS.map(countOf)]

/** What the source sums up in its clusters: each feature says in the property of its part how many it stands for. */
export const clusterProperties = Object.fromEntries(PARTS.map((part) => [part, ['+', countOf(part)]]))

/** The count in a few characters, as the service abbreviates it: 950, 1.2k, 15k, 1.3M. */
export const SHORT_COUNT: ExpressionSpecification = [
  'case',
  ['<', COUNT, 1000],
  ['to-string', COUNT],
  ['<', COUNT, 10_000],
  ['concat', ['/', ['floor', ['/', COUNT, 100]], 10], 'k'],
  ['<', COUNT, 1_000_000],
  ['concat', ['floor', ['/', COUNT, 1000]], 'k'],
  ['concat', ['/', ['floor', ['/', COUNT, 100_000]], 10], 'M'],
]

const [[, smallest], ...larger] = RADII
/** `cluster`, the radius, and the share of each part: `cluster-14-4-0-9-0`. */
export const CLUSTER_ICON: ExpressionSpecification = [
  'concat',
  'cluster-',
  ['step', COUNT, smallest, ...larger.flat()] as unknown as ExpressionSpecification,
  ...PARTS.flatMap((part): (string | ExpressionSpecification)[] => [
    '-',
    ['ceil', ['/', ['*', MAX_SHARE, countOf(part)], COUNT]],
  ]),
]

/** The icon of a name of CLUSTER_ICON. Scans have a thinner line, as their own icons. */
export function clusterIconNamed(name: string, colours: Colours): Icon | undefined {
  const [, radius, shares] = /^cluster-(\d+)((?:-\d+)+)$/.exec(name) ?? []
  if (!radius || !shares) return undefined
  const looks: Record<Part, Omit<RingPart, 'share'>> = {
    inside: { colour: colours.accent!, width: 5 },
    outside: { colour: colours['ink-3']!, width: 5 },
    gcps: { colour: colours['map-tag']!, width: 5 },
    scans: { colour: colours.accent!, width: 2 },
  }
  const counts = shares.slice(1).split('-').map(Number)
  const parts = PARTS.map((part, i) => ({ ...looks[part], share: counts[i] ?? 0 })).filter(({ share }) => share > 0)
  return clusterIcon(Number(radius), parts, colours.surface!, colours['map-halo']!)
}
