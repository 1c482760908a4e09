declare module 'topojson-client' {
  import type { FeatureCollection, GeometryCollection, MultiLineString } from 'geojson'

  type Topology = { type: 'Topology'; objects: Record<string, unknown> }
  export function feature(topology: Topology, object: unknown): FeatureCollection | { geometry: GeometryCollection }
  export function mesh(
    topology: Topology,
    object: unknown,
    filter?: (a: unknown, b: unknown) => boolean,
  ): MultiLineString
}
