import { parseTableSearch, type TableSearch } from './table/table-search.ts'

/** Search parameters of the map, in degrees and metres. */
export type MapSearch = {
  lat?: number
  lon?: number
  radius?: number
  /** A list of `pins,gcps,zones,scans`, or `conflicts` for control points with duplicate tags. */
  layers?: string
  /** A kind and an ID, such as `pin:12`. */
  select?: string
  /** Opens the form of a new item once. */
  create?: 'pin' | undefined
  /** The app whose visits are shown as heat. */
  visits?: string | undefined
} & TableSearch

/** The largest search radius. */
export const MAX_METRES = 100_000
export const DEFAULT_METRES = 1000

/** Parses search parameters. Invalid values are dropped. */
export function parseMapSearch(search: Record<string, unknown>): MapSearch {
  const lat = numberIn(search.lat, -90, 90)
  const lon = numberIn(search.lon, -180, 180)
  const radius = numberIn(search.radius, 0, MAX_METRES)
  return {
    ...(lat !== undefined && lon !== undefined ? { lat, lon } : {}),
    ...(radius === undefined ? {} : { radius }),
    ...(typeof search.layers === 'string' ? { layers: search.layers } : {}),
    ...(typeof search.select === 'string' ? { select: search.select } : {}),
    ...(search.create === 'pin' ? { create: search.create } : {}),
    ...(typeof search.visits === 'string' ? { visits: search.visits } : {}),
    ...parseTableSearch(search),
  }
}

function numberIn(value: unknown, min: number, max: number): number | undefined {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof number === 'number' && number >= min && number <= max ? number : undefined
}

export const LAYERS = ['pins', 'gcps', 'zones', 'scans'] as const
export type Layer = (typeof LAYERS)[number]
const DEFAULT_LAYERS: Layer[] = ['pins', 'gcps', 'zones']

/** The visible layers. */
export function layersOf({ layers }: MapSearch): Layer[] {
  if (layers === undefined) return DEFAULT_LAYERS
  if (layers === 'conflicts') return ['gcps', 'zones']
  const asked = layers.split(',')
  return LAYERS.filter((layer) => asked.includes(layer))
}

export type Kind = 'pin' | 'gcp' | 'zone' | 'scan'
export type Selection = { kind: Kind; id: string }

/** The selected item. */
export function selectionOf({ select }: MapSearch): Selection | null {
  const [, kind, id] = /^(pin|gcp|zone|scan):([\w-]+)$/.exec(select ?? '') ?? []
  return kind && id ? { kind: kind as Kind, id } : null
}

export const keyOf = ({ kind, id }: { kind: Kind; id: string | number }) => `${kind}:${id}`
